import { BlockList, isIPv4 } from "node:net";
import { isCurrent, isReady, type Pod } from "../../../clients/kubernetes/pod";

/** What flannel writes on the Node when it starts, and never again. */
export const flannelAnnotation = "flannel.alpha.coreos.com/kube-subnet-manager";

/** Seconds that a flannel which has just started may take until it has written it. */
const joinSeconds = 45;

/** The Node's part in the pod network, as the API has it. */
export interface NetworkView {
    readonly uid: string;
    /** Flannel has told the other nodes how to reach this one's pods. */
    readonly isJoined: boolean;
    /** The blocks that its pods have their addresses from. */
    readonly podCidrs: readonly string[];
}

/** What is remembered between two looks. */
export interface Rejoining {
    /** Since when flannel runs on a Node that has not joined: seconds of a monotonic clock. */
    readonly outsideSince?: number;
    /** The Node for which flannel was started again: once for each. */
    readonly node?: string;
    /** UIDs of the pods that ran then: their addresses may be another Node's by now. */
    readonly earlier?: readonly string[];
}

/**
 * Which pods have to be made again since their Node was deleted and registered again, before Kubernetes had deleted them.
 *
 * First flannel, for no node sends a packet to a Node that has not joined; once it has, those whose addresses are not of the new
 * Node's blocks. Where flannel does not run there are none.
 */
export function decideRejoin(
    node: NetworkView,
    pods: readonly Pod[],
    before: Rejoining,
    now: number,
): { readonly remove: readonly Pod[]; readonly memory: Rejoining } {
    const flannel = pods.filter((pod) => isFlannel(pod) && isCurrent(pod) && isReady(pod));
    if (node.isJoined) {
        const earlier = before.node === node.uid ? (before.earlier ?? []) : [];
        const blocks = blocksOf(node.podCidrs);
        const isMoved = ({ metadata, status }: Pod) =>
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

function isFlannel({ metadata }: Pod): boolean {
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
