import type { Manifest } from "../../manifest";
import type { Cluster } from "../../model";
import { coredns } from "./coredns";
import { flannel } from "./flannel";
import { kubeProxy } from "./kube-proxy";
import { kubeRouter } from "./kube-router";

/** Pod network, Services, NetworkPolicies and cluster DNS. */
export function addons(cluster: Cluster): Manifest[] {
    return [...flannel(cluster), ...kubeProxy(cluster), ...kubeRouter(cluster), ...coredns(cluster)];
}
