/** The Lease in kube-system that says whose machine is rebooted. */
export const rebootLease = "os-reboot";

export const leasesPath = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";
export const rebootLeasePath = `${leasesPath}/${rebootLease}`;

/**
 * On a Node: the boot in which its OS asks for a reboot, for as long as it does. On the Lease: the request that its
 * holder has its turn for.
 */
export const rebootAnnotation = "tradewind.dev/os-reboot";

/** On the Lease: until when its holder may begin, in RFC 3339. Without it nobody may. */
export const rebootUntilAnnotation = "tradewind.dev/os-reboot-until";

/** A node's turn to reboot. */
export interface RebootTurn {
    readonly node: string;
    readonly request: string;
    /** Seconds since 1970 until which it may begin. @default - it may not yet */
    readonly until?: number;
}

/** What is read of the Lease. */
export interface RebootLease {
    readonly metadata: {
        readonly resourceVersion: string;
        readonly annotations?: Readonly<Record<string, string>>;
    };
    readonly spec?: { readonly holderIdentity?: string; readonly leaseTransitions?: number };
}

/** Whose turn a Lease says it is; undefined: nobody's. */
export function turnOf({ metadata: { annotations = {} }, spec }: RebootLease): RebootTurn | undefined {
    const { [rebootAnnotation]: request = "", [rebootUntilAnnotation]: text = "" } = annotations;
    // What is no time allows nothing.
    const until = Date.parse(text) / 1000;
    return spec?.holderIdentity
        ? { node: spec.holderIdentity, request, ...(Number.isFinite(until) && { until }) }
        : undefined;
}
