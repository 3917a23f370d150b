import type { Shown, Situations } from "./situation";

const namespace = (name: string, ...pods: readonly string[]): Shown => {
    const announced = `existing pods in namespace "${name}" violate the new PodSecurity enforce level "baseline:latest"`;
    return { kind: "Namespace", metadata: { name }, warnings: pods.length > 0 ? [announced, ...pods] : [] };
};
const labels = { "pod-security.kubernetes.io/enforce": "privileged" };
const allowed: Shown = { ...namespace("logs", "shipper-x: hostPath volumes"), metadata: { name: "logs", labels } };
const many = [1, 2, 3, 4, 5, 6].map((index) => `job-${index}: privileged`);
const prepared = { keys: { encryption: [1] }, certificates: { kubeletServing: "verified" } };

/** An existing cluster cannot have all secure defaults at once. */
export const illegalDefaults: Situations = {
    "secure defaults without the steps of encryption": { told: { defaults: 1 }, wanted: { defaults: 2 } },
    "secure defaults before kubelets have certificates of the cluster": {
        told: { defaults: 1, keys: prepared.keys },
        wanted: { defaults: 2 },
    },
    "secure defaults, and pods that violate baseline": {
        told: { defaults: 1, ...prepared },
        runs: [
            namespace("kube-system", "flannel-x (and 2 other pods): host namespaces, privileged"),
            namespace("shop"),
            namespace("metrics", "node-exporter-x (and 2 other pods): host namespaces, hostPath volumes"),
            namespace("jobs", ...many),
            allowed,
        ],
        wanted: { defaults: 2 },
    },
    "a stricter level": {
        told: { defaults: 2 },
        runs: [namespace("shop", "till-x: unrestricted capabilities")],
        wanted: { defaults: 2, podSecurity: { enforce: "restricted" } },
    },
};
