import type { Lease, With } from "./objects";

/** The Lease in kube-system that names the machine being rebooted. */
export const rebootLease = "os-reboot";

export const leasesPath = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";
export const rebootLeasePath = `${leasesPath}/${rebootLease}`;

/**
 * On a Node: the boot during which its OS requested a reboot, for as long as it does. On the Lease: the request for which
 * the holder has its turn.
 */
export const rebootAnnotation = "tradewind.dev/os-reboot";

/** On the Lease: the deadline for its holder to begin, in RFC 3339. Without it, no node may reboot. */
export const rebootUntilAnnotation = "tradewind.dev/os-reboot-until";

/** A node's turn to reboot. */
export interface RebootTurn {
    readonly node: string;
    readonly request: string;
    /** Deadline to begin, in seconds since 1970. @default - it may not begin yet */
    readonly until?: number;
}

/** With the version that was read: a turn is only given if it is unchanged. */
export type RebootLease = With<Lease, "resourceVersion">;

/** The turn recorded in a Lease; undefined if there is none. */
export function turnOf({ metadata: { annotations = {} }, spec }: RebootLease): RebootTurn | undefined {
    const { [rebootAnnotation]: request = "", [rebootUntilAnnotation]: text = "" } = annotations;
    // An invalid time permits nothing.
    const until = Date.parse(text) / 1000;
    return spec?.holderIdentity
        ? { node: spec.holderIdentity, request, ...(Number.isFinite(until) && { until }) }
        : undefined;
}
