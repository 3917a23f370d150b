import type { Shown, Situations } from "./situation";

const namespace = (name: string, ...pods: readonly string[]): Shown => {
    const announced = `existing pods in namespace "${name}" violate the new PodSecurity enforce level "baseline:latest"`;
    return { kind: "Namespace", metadata: { name }, warnings: pods.length > 0 ? [announced, ...pods] : [] };
};
const labels = { "pod-security.kubernetes.io/enforce": "privileged" };
const allowed: Shown = { ...namespace("logs", "shipper-x: hostPath volumes"), metadata: { name: "logs", labels } };
const many = [1, 2, 3, 4, 5, 6].map((index) => `job-${index}: privileged`);

/** What kubelets or running pods cannot have yet. */
export const illegallyStrict: Situations = {
    "verified kubelets before they have certificates of the cluster": {
        reported: { certificates: { kubeletServing: "own" } },
        desired: {},
    },
    "a level that pods violate": {
        reported: { podSecurity: { enforce: "privileged" } },
        runs: [
            namespace("kube-system", "flannel-x (and 2 other pods): host namespaces, privileged"),
            namespace("shop"),
            namespace("metrics", "node-exporter-x (and 2 other pods): host namespaces, hostPath volumes"),
            namespace("jobs", ...many),
            allowed,
        ],
        desired: {},
    },
    "a stricter level": {
        reported: {},
        runs: [namespace("shop", "till-x: unrestricted capabilities")],
        desired: { podSecurity: { enforce: "restricted" } },
    },
};
