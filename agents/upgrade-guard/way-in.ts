import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { NodePod } from "../../clients/kubernetes/kubelet-api";
import { addressAnnotation, loopbackAddress, replaceAddress } from "../../clients/kubernetes/loopback";
import { checkpointFiles } from "../checkpointer/plan";
import { removeDurably, writeDurably } from "../harness/durable";
import type { UpgradeGuardPlan } from "./plan";
import type { Template, UpgradeRecord } from "./record";
import { runsLike } from "./templates";

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

    /** Starts it. @returns whether a copy of a pod of before the upgrade, or of one on the way, exists */
    open({ before, way = [] }: Pick<UpgradeRecord, "before" | "way">): boolean {
        if (this.address !== undefined) return true;
        const pod = this.#saved([before[program], ...way.flatMap((step) => step[program] ?? [])]);
        if (pod === undefined) return false;
        const manifest = `${JSON.stringify(wayInPod(pod, before[program]), null, 2)}\n`;
        // Written elsewhere first: the kubelet would read a partial file in its own directory.
        writeDurably(this.#file, manifest, { scratch: dirname(this.directories.staticPods) });
        return true;
    }

    close(): void {
        removeDurably(this.#file);
    }

    #saved(templates: readonly Template[]): NodePod | undefined {
        const home = join(this.directories.checkpoints, "kube-system", program);
        const pods = existsSync(home) ? readdirSync(home).flatMap((name) => readPod(join(home, name)) ?? []) : [];
        return templates.flatMap((template) => pods.find((pod) => runsLike(pod, template)) ?? [])[0];
    }
}

function readPod(directory: string): NodePod | undefined {
    try {
        return JSON.parse(readFileSync(join(directory, checkpointFiles.manifest), "utf8"));
    } catch {
        return undefined;
    }
}

/**
 * A pod with the programs of before the upgrade: the templates on the way differ in nothing else. The checkpointer may
 * run the copy itself: so this one has another name and address.
 */
function wayInPod({ metadata, spec }: NodePod, before: Template): object {
    const address = metadata.annotations?.[addressAnnotation] ?? "";
    const own = loopbackAddress({ wayInOf: address });
    const earlier = replaceAddress(
        before.spec.containers,
        before.metadata?.annotations?.[addressAnnotation] ?? "",
        own,
    );
    const containers = replaceAddress(spec.containers, address, own).map((each) => {
        const { image = each.image, command } = earlier.find(({ name }) => name === each.name) ?? each;
        return { ...each, image, command };
    });
    return {
        apiVersion: "v1",
        kind: "Pod",
        metadata: {
            name: podName,
            namespace: "kube-system",
            labels: { "k8s-app": podName },
            annotations: { [addressAnnotation]: own },
        },
        spec: { ...replaceAddress(spec, address, own), containers },
    };
}
