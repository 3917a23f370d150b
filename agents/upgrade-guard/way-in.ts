import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { NodePod } from "../../clients/kubernetes/kubelet-api";
import { addressAnnotation, loopbackAddress, replaceAddress } from "../../clients/kubernetes/loopback";
import { checkpointFiles } from "../checkpointer/plan";
import { removeDurably, writeDurably } from "../harness/durable";
import type { UpgradeGuardPlan } from "./plan";
import type { Template } from "./record";

const program = "kube-apiserver";
const podName = `upgrade-guard-${program}`;

/**
 * The earlier kube-apiserver as a static pod alongside one that refuses writes, from the copy that the checkpointer has
 * saved of it. It has an address of its own.
 */
export class WayIn {
    readonly #file: string;

    constructor(private readonly directories: UpgradeGuardPlan["directories"]) {
        this.#file = join(directories.staticPods, `${podName}.json`);
    }

    /** Its address; undefined if it was not started. */
    get address(): string | undefined {
        if (!existsSync(this.#file)) return undefined;
        try {
            return (JSON.parse(readFileSync(this.#file, "utf8")) as NodePod).metadata.annotations?.[addressAnnotation];
        } catch {
            // Not as this agent writes it: the kubelet cannot run it either.
            this.close();
            return undefined;
        }
    }

    /** Starts it. @returns whether a copy of the pod with this template exists */
    open(before: Template): boolean {
        if (this.address !== undefined) return true;
        const pod = this.#saved(before);
        if (pod === undefined) return false;
        const manifest = `${JSON.stringify(wayInPod(pod), null, 2)}\n`;
        // Written elsewhere first: the kubelet would read a partial file in its own directory.
        writeDurably(this.#file, manifest, { scratch: dirname(this.directories.staticPods) });
        return true;
    }

    close(): void {
        removeDurably(this.#file);
    }

    #saved(before: Template): NodePod | undefined {
        const home = join(this.directories.checkpoints, "kube-system", program);
        const pods = existsSync(home) ? readdirSync(home).map((name) => readPod(join(home, name))) : [];
        return pods.find((pod) => pod && isCopyOf(pod, before));
    }
}

function readPod(directory: string): NodePod | undefined {
    try {
        return JSON.parse(readFileSync(join(directory, checkpointFiles.manifest), "utf8"));
    } catch {
        return undefined;
    }
}

/** Whether a pod runs the same programs as a template, with the same flags, apart from its address. */
function isCopyOf({ metadata, spec }: NodePod, before: Template): boolean {
    const programsOf = (address: string | undefined, containers: NodePod["spec"]["containers"]) => {
        const programs = containers.map(({ name, image, command }) => ({ name, image, command }));
        return address === undefined ? programs : replaceAddress(programs, address, "address");
    };
    return isDeepStrictEqual(
        programsOf(metadata.annotations?.[addressAnnotation], spec.containers),
        programsOf(before.metadata?.annotations?.[addressAnnotation], before.spec.containers),
    );
}

/** The checkpointer may run the copy itself: so this one has another name and address. */
function wayInPod({ metadata, spec }: NodePod): object {
    const address = metadata.annotations?.[addressAnnotation] ?? "";
    const own = loopbackAddress({ wayInOf: address });
    return {
        apiVersion: "v1",
        kind: "Pod",
        metadata: {
            name: podName,
            namespace: "kube-system",
            labels: { "k8s-app": podName },
            annotations: { [addressAnnotation]: own },
        },
        spec: replaceAddress(spec, address, own),
    };
}
