import type { Network } from "../model";
import type { OwnImages } from "../options";
import { conflictsWith, requires } from "../validate";

/** Folder of the configurations of CNIs. The first by name applies to new pods. */
export const cniFolder = "/etc/cni/net.d";

/** Configuration of each CNI of ours. That of kube-router also means that it is, or was until now, the pod network of the node. */
export const cniConfigs = {
    flannel: `${cniFolder}/10-flannel.conflist`,
    "kube-router": `${cniFolder}/10-kuberouter.conflist`,
} as const;

/**
 * The bridge that the pods of a node are connected to, and the name under which plugins keep their addresses. The same
 * for each CNI of ours, so pods keep both when it changes.
 */
export const podBridge = { link: "cni0", network: "cbr0" } as const;

/** Throws if the CNI cannot have these options. */
export function requireCniOptions(
    { cni, networkPolicies, kubeProxyMode }: Pick<Network, "cni" | "networkPolicies" | "kubeProxyMode">,
    podCidr6: string | undefined,
): void {
    if (cni === "none" && networkPolicies !== "ignored") {
        throw conflictsWith(
            "network.networkPolicies",
            "network.cni none: the CNI of your own enforces them",
            networkPolicies,
        );
    }
    if (kubeProxyMode === "none" && cni !== "none") {
        throw requires(
            "network.kubeProxyMode none",
            "network.cni none: neither flannel nor kube-router replaces it",
            cni,
        );
    }
    if (cni === "kube-router" && podCidr6 !== undefined) {
        throw conflictsWith("network.podCidr6", "network.cni kube-router", podCidr6);
    }
}

/** Throws on a cloud with kube-router's published image, which lacks a command that its tunnels need. */
export function requireCloudCni(
    { cni }: Pick<Network, "cni">,
    { kubeRouter }: Partial<OwnImages> = {},
    cloud: string,
): void {
    if (cni === "kube-router" && kubeRouter === undefined) {
        throw requires(`network.cni kube-router on ${cloud}`, "images.kubeRouter: an image of it with the command nft");
    }
}
