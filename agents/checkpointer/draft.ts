import { createHash } from "node:crypto";
import { join } from "node:path";
import type { NodePod } from "../../clients/kubernetes/kubelet-api";
import { addressAnnotation } from "../../clients/kubernetes/loopback";
import type { HttpGet } from "../../clients/kubernetes/objects";
import { startOf } from "../../clients/kubernetes/pods";
import { copyAnnotation, generationAnnotation } from "./plan";
import { NotCheckpointable, type SavedVolume, sanitise } from "./sanitise";
import { ownedFile, readVolume, type SavedFile } from "./saved-files";

/** A checkpoint that could be saved: what runs now, as a static pod. */
export interface Draft {
    readonly parent: string;
    /** Changes with anything in the pod or in the files of its volumes. */
    readonly generation: string;
    /** Name and UID of the pod that it is a copy of. */
    readonly pod: string;
    readonly uid: string;
    /** Loopback address that only the copy binds. */
    readonly address?: string;
    /** Whether the copy may run alongside its parent: it has its own address, and leases decide which one is active. */
    readonly overlaps: boolean;
    /** Whether it works through the API: useless without one, and in the way of one that starts. */
    readonly needsApi: boolean;
    /** Whether the machine starts the copy with its kubelet at each boot. */
    readonly startsAtBoot: boolean;
    readonly endpoints: readonly HttpGet[];
    /** By the volume's name. */
    readonly files: Readonly<Record<string, readonly SavedFile[]>>;
    /** The static pod, with its volumes in the given directory. */
    readonly manifest: (directory: string) => object;
}

/**
 * Milliseconds of rounding between the time the kubelet writes the last volume and the start of the first container.
 */
const clockTolerance = 1_500;

/**
 * Drafts the checkpoint of a running pod.
 *
 * @param parent - as named in the plan
 * @param kubeletPods - the kubelet's directory of pods
 * @throws NotCheckpointable
 */
export function draftOf(pod: NodePod, parent: string, kubeletPods: string): Draft {
    return draftWith(pod, parent, (volume) => {
        const { files, since } = readVolume(join(kubeletPods, pod.metadata.uid), volume);
        if (since > startOf(pod) + clockTolerance) {
            // The pod serves with what it read at start; whether it would serve with this is unknown.
            throw new NotCheckpointable(`volume ${volume.name} has changed since the pod started`);
        }
        return files;
    });
}

/**
 * Drafts the checkpoint of a pod with given files in its volumes.
 *
 * @throws NotCheckpointable
 */
export function draftWith(pod: NodePod, parent: string, filesOf: (volume: SavedVolume) => readonly SavedFile[]): Draft {
    const { metadata } = pod;
    const placeholder = sanitise(pod, "");
    const volumes = placeholder.volumes.map((volume) => {
        const files = filesOf(volume);
        if (files.some(({ path }) => /[\n\\]/.test(path))) {
            throw new NotCheckpointable(`volume ${volume.name} has a file whose name has a line break or backslash`);
        }
        return [volume.name, files.map((file) => ownedFile(file, pod.spec))] as const;
    });
    const generation = hash(placeholder.spec, volumes);
    const [namespace, name] = parent.split("/");
    const overlaps = placeholder.address !== undefined && !worksAlone(pod);
    const needsApi = asksApi(pod);
    return {
        parent,
        generation,
        pod: metadata.name,
        uid: metadata.uid,
        address: placeholder.address,
        overlaps,
        needsApi,
        startsAtBoot: overlaps && !needsApi,
        endpoints: placeholder.endpoints,
        files: Object.fromEntries(volumes),
        manifest: (directory) => ({
            apiVersion: "v1",
            kind: "Pod",
            metadata: {
                name: `checkpoint-${name}`,
                namespace,
                // None of the parent's labels: budgets, Services and DaemonSets must not select the copy.
                labels: { "k8s-app": `checkpoint-${name}`.slice(0, 63) },
                annotations: {
                    [copyAnnotation]: parent,
                    [generationAnnotation]: generation,
                    ...(placeholder.address && { [addressAnnotation]: placeholder.address }),
                },
            },
            spec: sanitise(pod, directory).spec,
        }),
    };
}

/** Two of these would do everything twice. */
function worksAlone({ spec }: NodePod): boolean {
    return JSON.stringify(spec.containers).includes("--leader-elect=false");
}

/** True for controller-manager and scheduler, false for an apiserver. */
function asksApi({ spec }: NodePod): boolean {
    return JSON.stringify(spec.containers).includes('"--kubeconfig=');
}

function hash(spec: object, volumes: readonly (readonly [string, readonly SavedFile[]])[]): string {
    const sum = createHash("sha256").update(JSON.stringify(spec));
    for (const [name, files] of volumes) {
        for (const { content, ...file } of files) {
            sum.update(JSON.stringify([name, file, content.length])).update(content);
        }
    }
    return sum.digest("hex").slice(0, 16);
}
