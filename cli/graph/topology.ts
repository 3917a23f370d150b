import type { Meaning } from "../picture/shapes";
import type { PodOrigin } from "../status/facts";
import type { Cloud } from "./stack-facts";

/** What a topology picture shows: plain data, in words, in the order in which it is shown. */
export interface Topology {
    readonly cluster: string;
    /** RFC 3339. */
    readonly at: string;
    readonly cloud?: Cloud;
    /** Such as `Kubernetes 1.36.3`. */
    readonly versions: readonly string[];
    readonly verdict: Stated;
    readonly network: {
        readonly block?: string;
        /** Such as `pods 10.2.0.0/16`. */
        readonly blocks: readonly string[];
        /** Such as `eu-central-1a 10.0.0.0/20`. */
        readonly subnets: readonly string[];
    };
    /** Its title says how clients come to it. */
    readonly api: Stated & { readonly title: string; readonly address: string };
    readonly controllers: readonly ControllerView[];
    /** Such as `3 members, 2 of them answer`. */
    readonly etcd: Stated;
    readonly pools: readonly PoolView[];
    /** What is wrong, most critical first. */
    readonly findings: readonly Stated[];
}

/** Words, and what they mean. */
export interface Stated {
    readonly meaning: Meaning;
    readonly words: string;
}

export interface NodeView extends Stated {
    readonly name: string;
    /** Address, size and zone, as far as they are known. */
    readonly where: readonly string[];
    /** Of its kubelet. */
    readonly version?: string;
}

export interface ControllerView extends NodeView {
    /** What the load balancer finds there. */
    readonly apiserver: Stated;
    readonly parts: readonly PartView[];
}

/** A part of the control plane. */
export interface PartView extends Stated {
    readonly component: string;
    /** @default nothing runs */
    readonly origin?: PodOrigin;
}

export interface PoolView {
    readonly name: string;
    /** Such as `1 to 3 machines`. */
    readonly size: string;
    readonly nodes: readonly NodeView[];
}
