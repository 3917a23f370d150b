import type { Fault, Scene } from "./fault";

const now = ["--grace-period=0", "--force", "--wait=false"];

/** Deletes the pods of components at once, like a careless administrator. */
function deleted(...components: string[]): Fault["inject"] {
    return async ({ cluster }: Scene) => {
        const selector = `k8s-app in (${components.join(",")})`;
        await cluster.kubectl("-n", "kube-system", "delete", "pods", "-l", selector, ...now);
    };
}

/** Pods of kube-system that are deleted without a grace period, all at the same time. */
export const podFaults: readonly Fault[] = [
    {
        name: "managers-deleted",
        about: "every kube-controller-manager and kube-scheduler is deleted",
        target: "cluster",
        inject: deleted("kube-controller-manager", "kube-scheduler"),
    },
    {
        name: "control-plane-deleted",
        about: "every control-plane pod and every checkpointer is deleted",
        target: "cluster",
        inject: deleted("kube-apiserver", "kube-controller-manager", "kube-scheduler", "checkpointer"),
    },
    {
        name: "dns-deleted",
        about: "every CoreDNS is deleted",
        target: "cluster",
        inject: deleted("kube-dns"),
    },
    {
        name: "network-deleted",
        about: "every kube-proxy, kube-router and flannel is deleted",
        target: "cluster",
        inject: deleted("kube-proxy", "kube-router", "flannel"),
    },
];
