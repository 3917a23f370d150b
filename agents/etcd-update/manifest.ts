import { isDeepStrictEqual } from "node:util";
import { isStanding } from "../common/member-runner";
import { withUid } from "../common/static-pod-uid";

/** A member's static pod, as far as it matters here. */
export interface EtcdStaticPod {
    readonly metadata: { readonly uid?: string; readonly annotations?: Readonly<Record<string, string>> };
    readonly spec: { readonly containers: readonly { readonly image: string; readonly command: readonly string[] }[] };
}

/** Flags that say how the member began: it has its own for good. */
const ownFlags = ["initial-cluster", "initial-cluster-state"];

export function isStaticPod(value: unknown): value is EtcdStaticPod {
    const { metadata, spec } = (value ?? {}) as Partial<EtcdStaticPod>;
    const [etcd] = spec?.containers ?? [];
    const { command = [] } = etcd ?? {};
    return metadata !== undefined && (command[0] === "etcd" || isStanding(command));
}

/**
 * The wanted static pod for the member that has this one: with its own first flags, its UID, and what its annotations say
 * of it, such as whom it trusts.
 *
 * With another UID it would be another pod to the kubelet, which waits for the API to forget the old one before it
 * starts the new one: half a minute where that API asks this very member.
 */
export function memberManifest(wanted: EtcdStaticPod, current: EtcdStaticPod): EtcdStaticPod {
    const [etcd, ...others] = wanted.spec.containers;
    const own = new Map(commandOf(current).flatMap((flag) => (isOwn(flag) ? [[nameOf(flag), flag]] : [])));
    const command = etcd!.command.map((flag) => (isOwn(flag) ? (own.get(nameOf(flag)) ?? flag) : flag));
    const { uid, annotations } = current.metadata;
    const { annotations: _, ...metadata } = wanted.metadata;
    const pod = {
        ...wanted,
        metadata: { ...metadata, ...(annotations && { annotations }) },
        spec: { ...wanted.spec, containers: [{ ...etcd!, command }, ...others] },
    };
    return uid === undefined ? withUid(pod) : { ...pod, metadata: { ...pod.metadata, uid } };
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
