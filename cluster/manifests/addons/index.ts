import type { Manifest } from "../../manifest";
import type { Cluster } from "../../model";
import { coredns } from "./coredns";
import { flannel } from "./flannel";
import { kubeProxy } from "./kube-proxy";
import { kubeRouter } from "./kube-router";

/** Pod network, unless users install it, Services, NetworkPolicies and cluster DNS. */
export function addons(cluster: Cluster): Manifest[] {
    const overlay = cluster.network.cni === "flannel" ? flannel(cluster) : [];
    return [...kubeProxy(cluster), ...kubeRouter(cluster), ...overlay, ...coredns(cluster)];
}
