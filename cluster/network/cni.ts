import type { Cni, Network, NetworkPolicyMode } from "../model";
import { conflictsWith, invalid } from "../validate";

/** Annotation of kube-apiserver's pods with the cluster's CNI, unless it is flannel. */
export const cniAnnotation = "tradewind.dev/cni";

/** Annotations for kube-apiserver's pods. */
export function cniAnnotations({ cni }: Pick<Network, "cni">): Record<string, string> {
    return cni === "flannel" ? {} : { [cniAnnotation]: cni };
}

/** The CNI of an existing cluster. @param running - annotations of kube-apiserver's pods */
export function cniOf(running: Readonly<Record<string, string>> = {}): string {
    return running[cniAnnotation] ?? "flannel";
}

/** Throws if the CNI cannot have these options. */
export function requireCniOptions(cni: Cni, networkPolicies: NetworkPolicyMode, podCidr6: string | undefined): void {
    if (cni === "none" && networkPolicies !== "ignored") {
        throw conflictsWith(
            "network.networkPolicies",
            "network.cni none: the CNI of your own enforces them",
            networkPolicies,
        );
    }
    if (cni === "kube-router" && podCidr6 !== undefined) {
        throw conflictsWith("network.podCidr6", "network.cni kube-router", podCidr6);
    }
}

/** Throws on a cloud with a CNI that was only tested in local clusters: the cloud's image of it may lack its tools. */
export function requireCloudCni({ cni }: Pick<Network, "cni">, cloud: string): void {
    if (cni === "kube-router") {
        throw invalid("network.cni", `flannel or none on ${cloud}`, cni);
    }
}
