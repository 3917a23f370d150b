import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { withUid } from "../../../clients/kubernetes/pods";
import { writeDurably } from "../../harness/durable";
import { jsonObject, readState } from "../../harness/state-file";
import { staticPodFile } from "../member/files";
import { firstName, isImage, nextName } from "../member/image";
import { isStandbyCommand } from "../member/runner";
import { strayFiles } from "../member/static-pod-files";

/** The parts of a member's static pod that matter here. */
export interface EtcdStaticPod {
    readonly metadata: { readonly uid?: string; readonly annotations?: Readonly<Record<string, string>> };
    readonly spec: { readonly containers: readonly { readonly image: string; readonly command: readonly string[] }[] };
}

/** Flags of the member's first start, which it keeps for good. */
const ownFlags = ["initial-cluster", "initial-cluster-state"];

export function isStaticPod(value: unknown): value is EtcdStaticPod {
    const { metadata, spec } = (value ?? {}) as Partial<EtcdStaticPod>;
    const [etcd] = spec?.containers ?? [];
    const { command = [] } = etcd ?? {};
    return metadata !== undefined && (command[0] === "etcd" || isStandbyCommand(command));
}

/**
 * The desired static pod for a member that has the current one: with its own initial flags, its UID and its
 * annotations, such as the one for its CAs. Unless it is the current one, its image has another name: `nextName`.
 *
 * With another UID it would be another pod to the kubelet, which waits until the API has dropped the old one before it
 * starts the new one: half a minute if that API depends on this very member.
 *
 * @param digest - of the image that the member runs
 */
export function memberManifest(desired: EtcdStaticPod, current: EtcdStaticPod, digest?: string): EtcdStaticPod {
    const [etcd, ...others] = desired.spec.containers;
    const own = new Map(commandOf(current).flatMap((flag) => (isOwn(flag) ? [[nameOf(flag), flag]] : [])));
    const command = etcd!.command.map((flag) => (isOwn(flag) ? (own.get(nameOf(flag)) ?? flag) : flag));
    const { uid, annotations } = current.metadata;
    const { annotations: _, ...metadata } = desired.metadata;
    const withImage = (image: string) => {
        const pod = {
            ...desired,
            metadata: { ...metadata, ...(annotations && { annotations }) },
            spec: { ...desired.spec, containers: [{ ...etcd!, image, command }, ...others] },
        };
        return uid === undefined ? withUid(pod) : { ...pod, metadata: { ...pod.metadata, uid } };
    };
    const { image } = current.spec.containers[0]!;
    if (!isImage(image, etcd!.image)) return withImage(etcd!.image);
    return isSame(withImage(image), current) ? current : withImage(nextName(etcd!.image, image, digest));
}

/**
 * An earlier static pod for a member that now has the current one. If its image has a digest, by which it was found
 * before, its name has a number that was not tried before.
 */
export function earlierManifest(earlier: EtcdStaticPod, current: EtcdStaticPod): EtcdStaticPod {
    const [etcd, ...others] = earlier.spec.containers;
    const withImage = (image: string) => ({
        ...earlier,
        spec: { ...earlier.spec, containers: [{ ...etcd!, image }, ...others] },
    });
    const first = firstName(etcd!.image);
    const { image } = current.spec.containers[0]!;
    const isOfVersion = isImage(image, first);
    if (isOfVersion && isSame(withImage(image), current)) return current;
    return first.includes("@") ? withImage(nextName(first, isOfVersion ? image : etcd!.image)) : earlier;
}

/** Whether the kubelet runs the same for both. */
export function isSame(one: EtcdStaticPod, other: EtcdStaticPod): boolean {
    const plain = (pod: EtcdStaticPod) => JSON.parse(JSON.stringify(pod));
    return isDeepStrictEqual(plain(one), plain(other));
}

export function commandOf({ spec }: EtcdStaticPod): readonly string[] {
    return spec.containers[0]!.command;
}

function isOwn(flag: string): boolean {
    return ownFlags.includes(nameOf(flag));
}

/** `initial-cluster` of `--initial-cluster=a=https://…` */
function nameOf(flag: string): string {
    return /^--([^=]+)/.exec(flag)?.[1] ?? "";
}

interface Place {
    readonly directories: { readonly staticPods: string };
}

/** The static pod that the kubelet runs. @throws if there is none */
export function readManifest({ directories }: Place): EtcdStaticPod {
    const path = staticPodPath(directories);
    const pod: unknown = readState(path, jsonObject);
    if (!isStaticPod(pod)) {
        const got = pod !== undefined ? "another" : existsSync(path) ? "a damaged file" : "none";
        throw new Error(`${path} must be etcd's static pod (got ${got})`);
    }
    return pod;
}

/** Installs another static pod for the kubelet. Returns whether anything changed. */
export function writeManifest(place: Place, pod: EtcdStaticPod): boolean {
    if (isSame(readManifest(place), pod)) {
        return false;
    }
    // The temporary file is in the same directory: the kubelet skips names that begin with a dot.
    writeDurably(staticPodPath(place.directories), `${JSON.stringify(pod, null, 2)}\n`);
    return true;
}

/** Other files that define a pod of the member's name, such as a copy: the kubelet runs one of them, not always the same. */
export function rivals({ directories: { staticPods } }: Place): string[] {
    const files = readdirSync(staticPods, { withFileTypes: true }).filter((entry) => entry.isFile());
    return strayFiles(files.map(({ name }) => name))
        .map((name) => join(staticPods, name))
        .filter((path) => isOfMember(readFileSync(path, "utf8")));
}

/** Name of the member's pod in its static pod. */
const podName = "etcd";

/** Whether a file defines a pod of the member's name: in JSON or, without a parser for it, in the usual form of YAML. */
function isOfMember(text: string): boolean {
    try {
        return JSON.parse(text)?.metadata?.name === podName;
    } catch {
        return new RegExp(`^metadata:\\s*\\n(?:[ \\t]+.*\\n)*?[ \\t]+name:\\s*["']?${podName}["']?\\s*$`, "m").test(
            text,
        );
    }
}

function staticPodPath({ staticPods }: Place["directories"]): string {
    return join(staticPods, staticPodFile);
}
