import type { Manifest } from "../cluster/manifest";
import type { Cluster } from "../cluster/model";
import { credentialHolders } from "./secrets";

/** Keeps evictions from taking a majority of a control-plane component, and the only one of it. */
export function disruptionBudgets({ controllers }: Cluster): Manifest[] {
    // A DaemonSet has no scale subresource, so its budget must be a number of pods that stay.
    const minAvailable = Math.max(1, controllers.names.length - 1);
    return credentialHolders.map((name) => ({
        apiVersion: "policy/v1",
        kind: "PodDisruptionBudget",
        metadata: { name, namespace: "kube-system" },
        spec: { minAvailable, selector: { matchLabels: { "k8s-app": name } } },
    }));
}
