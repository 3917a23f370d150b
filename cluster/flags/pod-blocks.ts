import { nodesByPool } from "../model";
import type { Cidr } from "../network/cidr";
import { nodePodPrefix } from "../network/network";
import type { FlaggedCluster, Problem } from "./rule";

/** Default of the kubelet. */
const defaultMaxPods = 110;

/** kube-controller-manager splits a block into at most 2 to this power. */
const mostNodeBits = 16;

/** Limits pods to the addresses in a node's block. */
export const maxPods: Problem = (value, cluster) => {
    const prefix = nodePodPrefix(cluster.extraArgs.kubeControllerManager);
    const most = podAddresses(32 - prefix);
    const isLegal = isNumber(value) && Number(value) >= 1 && Number(value) <= most;
    return isLegal ? undefined : `between 1 and ${most}, the addresses for pods in a node's /${prefix}`;
};

export const nodeMask: Problem = (value, cluster) =>
    cluster.network.podCidr6
        ? "unset when podCidr6 is set: use node-cidr-mask-size-ipv4 and node-cidr-mask-size-ipv6"
        : nodeMask4(value, cluster);

export const nodeMask4: Problem = (value, cluster) => {
    const { kubeControllerManager: flags = {} } = cluster.extraArgs;
    if ("node-cidr-mask-size" in flags && "node-cidr-mask-size-ipv4" in flags) {
        return "unset when the other of node-cidr-mask-size and node-cidr-mask-size-ipv4 is set";
    }
    return blockProblem(value, cluster, cluster.network.podCidr, 32);
};

export const nodeMask6: Problem = (value, cluster) =>
    cluster.network.podCidr6 ? blockProblem(value, cluster, cluster.network.podCidr6, 128) : "unset without podCidr6";

function blockProblem(value: string, cluster: FlaggedCluster, pods: Cidr, bits: number): string | undefined {
    const nodes = Object.values(nodesByPool(cluster)).flat().length;
    const podsOfNode = Number(cluster.extraArgs.kubelet?.["max-pods"] ?? defaultMaxPods);
    // A rolling replacement needs room for one more node.
    const shortest = pods.prefix + Math.max(1, Math.ceil(Math.log2(nodes + 1)));
    const longest = Math.min(pods.prefix + mostNodeBits, bits - Math.ceil(Math.log2(podsOfNode + reserved)));
    const isLegal = isNumber(value) && Number(value) >= shortest && Number(value) <= longest;
    return isLegal
        ? undefined
        : `between ${shortest} and ${longest}, for ${nodes === 1 ? "1 node" : `${nodes} nodes`} in ${pods.text} with ${podsOfNode} pods each`;
}

/** The first and last address of a block and the address of the node's bridge. */
const reserved = 3;

function podAddresses(bits: number): number {
    return 2 ** bits - reserved;
}

function isNumber(value: string): boolean {
    return /^\d+$/.test(value);
}
