import type { Manifest } from "../../manifest";
import type { Cluster } from "../../model";
import { coredns } from "./coredns";
import { flannel } from "./flannel";
import { kubeProxy } from "./kube-proxy";

/** Pod network, Services and cluster DNS. */
export function addons(cluster: Cluster): Manifest[] {
    return [...flannel(cluster), ...kubeProxy(cluster), ...coredns(cluster)];
}
