import { isDeepStrictEqual } from "node:util";
import type { NodePod } from "../../clients/kubernetes/kubelet-api";
import { addressAnnotation, replaceAddress } from "../../clients/kubernetes/loopback";
import type { Template } from "./record";

type Programs = Pick<NodePod | Template, "metadata" | "spec">;

/** Whether pods run the same programs with the same flags, apart from their own addresses. */
export function runsLike(one: Programs, other: Programs): boolean {
    return isDeepStrictEqual(programsOf(one), programsOf(other));
}

/** An API server of another version may add defaults to the rest of a template. */
function programsOf({ metadata, spec }: Programs): unknown {
    const programs = spec.containers.map(({ name, image, command }) => ({ name, image, command }));
    const address = metadata?.annotations?.[addressAnnotation];
    return address === undefined ? programs : replaceAddress(programs, address, "address");
}
