import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeDurably } from "../common/durable";
import { staticPodFile } from "../common/member-files";
import { type EtcdStaticPod, isSame, isStaticPod } from "./manifest";
import type { EtcdUpdatePlan } from "./plan";

type Place = Pick<EtcdUpdatePlan, "directories">;

/** The static pod that the kubelet runs. @throws if there is none */
export function readManifest({ directories }: Place): EtcdStaticPod {
    const path = staticPodPath(directories);
    const pod: unknown = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
    if (!isStaticPod(pod)) {
        throw new Error(`${path} must be the static pod of etcd, got ${pod === undefined ? "none" : "another"}`);
    }
    return pod;
}

/** Has the kubelet run another. Tells whether anything changed. */
export function writeManifest(place: Place, pod: EtcdStaticPod): boolean {
    if (isSame(readManifest(place), pod)) {
        return false;
    }
    // The half-written file is beside it, where the kubelet skips names that begin with a dot.
    writeDurably(staticPodPath(place.directories), `${JSON.stringify(pod, null, 2)}\n`);
    return true;
}

function staticPodPath({ staticPods }: EtcdUpdatePlan["directories"]): string {
    return join(staticPods, staticPodFile);
}
