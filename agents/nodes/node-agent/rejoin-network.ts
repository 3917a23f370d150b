import { BlockList, isIPv4 } from "node:net";
import type { NodePod } from "../../../clients/kubernetes/kubelet-api";
import { isReady } from "../../../clients/kubernetes/objects";
import { isCurrent } from "../../../clients/kubernetes/pods";

/** flannel writes it to the Node when it starts, and never again. */
export const flannelAnnotation = "flannel.alpha.coreos.com/kube-subnet-manager";

/** Seconds that flannel may take after its start to write it. */
const joinSeconds = 45;

/** The Node's pod network state in the API. */
export interface NetworkView {
    readonly uid: string;
    /** flannel has published how to reach this node's pods. */
    readonly isJoined: boolean;
    /** The CIDRs of its pods' addresses. */
    readonly podCidrs: readonly string[];
}

/** State between two reconciles. */
export interface Rejoining {
    /** Since when flannel has been running on a Node that has not joined: seconds of a monotonic clock. */
    readonly outsideSince?: number;
    /** The Node for which flannel was restarted: once each. */
    readonly node?: string;
    /** UIDs of the pods that ran then: their addresses may belong to another Node by now. */
    readonly earlier?: readonly string[];
}

/**
 * Pods to recreate because their Node was deleted and registered again before Kubernetes had deleted them.
 *
 * First flannel, since no node sends packets to a Node that has not joined; then the pods whose addresses are not in
 * the new Node's CIDRs. Without flannel there are none.
 */
export function decideRejoin(
    node: NetworkView,
    pods: readonly NodePod[],
    before: Rejoining,
    now: number,
): { readonly remove: readonly NodePod[]; readonly memory: Rejoining } {
    const flannel = pods.filter((pod) => isFlannel(pod) && isCurrent(pod) && isReady(pod.status));
    if (node.isJoined) {
        const earlier = before.node === node.uid ? (before.earlier ?? []) : [];
        const blocks = blocksOf(node.podCidrs);
        const isMoved = ({ metadata, status }: NodePod) =>
            earlier.includes(metadata.uid) && status?.podIP !== undefined && !isWithin(blocks, status.podIP);
        return { remove: pods.filter(isMoved), memory: { ...before, outsideSince: undefined } };
    }
    if (flannel.length === 0 || before.node === node.uid) {
        return { remove: [], memory: { ...before, outsideSince: undefined } };
    }
    const outsideSince = before.outsideSince ?? now;
    if (now - outsideSince < joinSeconds) {
        return { remove: [], memory: { ...before, outsideSince } };
    }
    const earlier = pods.filter(({ spec }) => spec.hostNetwork !== true).map(({ metadata }) => metadata.uid);
    return { remove: flannel, memory: { node: node.uid, earlier } };
}

function isFlannel({ metadata }: NodePod): boolean {
    return metadata.namespace === "kube-system" && metadata.labels?.["k8s-app"] === "flannel";
}

function blocksOf(cidrs: readonly string[]): BlockList {
    const blocks = new BlockList();
    for (const cidr of cidrs) {
        const [address = "", bits] = cidr.split("/");
        blocks.addSubnet(address, Number(bits), isIPv4(address) ? "ipv4" : "ipv6");
    }
    return blocks;
}

function isWithin(blocks: BlockList, address: string): boolean {
    return blocks.check(address, isIPv4(address) ? "ipv4" : "ipv6");
}
