/** Tests outside conformance that are not run. */
export interface NotApplicable {
    /** For readers. */
    readonly tests: string;
    /** A regular expression on their full names. */
    readonly pattern: string;
    readonly reason: string;
}

/** Reviewed for Kubernetes 1.37 on a local cluster; docs/conformance.md has the same table. */
export const notApplicable: readonly NotApplicable[] = [
    {
        tests: "features (`[Feature:…]`)",
        pattern: "\\[Feature:",
        reason: "off by default, or in need of an installation of their own",
    },
    {
        tests: "alpha and beta features",
        pattern: "\\[FeatureGate:.*\\[(Alpha|Beta)\\]",
        reason: "Kubernetes turns them off by default",
    },
    { tests: "`[Flaky]`", pattern: "\\[Flaky\\]", reason: "Kubernetes' own label for tests that fail without a fault" },
    {
        tests: "`[Slow]`, `[Disruptive]`",
        pattern: "\\[(Slow|Disruptive)\\]",
        reason: "minutes each, or made for the nodes of one provider",
    },
    {
        tests: "volumes of drivers",
        pattern: "\\[Driver: |In-tree Volumes|CSI Volumes|CSI Mock|NFS",
        reason: "they deploy drivers, whose images cannot be built here",
    },
    { tests: "SCTP", pattern: "SCTP", reason: "kernels of local machines may lack it" },
    {
        tests: "time limit of TCP `CLOSE_WAIT`",
        pattern: "should set TCP CLOSE_WAIT timeout",
        reason: "kube-proxy in containers does not set limits of the host's kernel",
    },
    {
        tests: "privileged pods",
        pattern: "PrivilegedPod",
        reason: "kernels of local machines may lack dummy interfaces",
    },
    {
        tests: "load balancers, Ingress, providers",
        pattern: "LoadBalancers|Ingress API|\\[Provider:",
        reason: "local clusters have none",
    },
];
