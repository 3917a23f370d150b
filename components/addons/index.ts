import type { Manifest } from "../cluster/manifest";
import type { Cluster } from "../cluster/model";
import { coredns } from "./coredns";
import { flannel } from "./flannel";
import { kubeProxy } from "./kube-proxy";

/** Pod network, service addresses and cluster DNS. */
export function addons(cluster: Cluster): Manifest[] {
    return [...flannel(cluster), ...kubeProxy(cluster), ...coredns(cluster)];
}
