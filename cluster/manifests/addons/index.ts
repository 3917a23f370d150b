import type { Manifest } from "../../manifest";
import type { Cluster } from "../../model";
import { coredns } from "./coredns";
import { flannel } from "./flannel";
import { kubeProxy } from "./kube-proxy";
import { kubeRouter } from "./kube-router";

/** Pod network and Services, unless users install them, NetworkPolicies and cluster DNS. */
export function addons(cluster: Cluster): Manifest[] {
    const { cni, kubeProxyMode } = cluster.network;
    const proxy = kubeProxyMode === "none" ? [] : kubeProxy(cluster);
    const overlay = cni === "flannel" ? flannel(cluster) : [];
    return [...proxy, ...kubeRouter(cluster), ...overlay, ...coredns(cluster)];
}
