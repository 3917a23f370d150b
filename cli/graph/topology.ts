import type { Meaning } from "../picture/shapes";
import type { PodOrigin } from "../status/facts";
import type { Cloud } from "./stack-facts";

/** Contents of a topology picture: plain data as text, in display order. */
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
    /** The title says how clients reach it. */
    readonly api: Stated & { readonly title: string; readonly address: string };
    readonly controllers: readonly ControllerView[];
    /** Such as `3 members, 2 of them answer`. */
    readonly etcd: Stated;
    readonly pools: readonly PoolView[];
    /** Problems, most critical first. */
    readonly findings: readonly Stated[];
}

/** Text and its meaning. */
export interface Stated {
    readonly meaning: Meaning;
    readonly words: string;
}

export interface NodeView extends Stated {
    readonly name: string;
    /** Known parts of address, size and zone. */
    readonly where: readonly string[];
    /** Version of its kubelet. */
    readonly version?: string;
}

export interface ControllerView extends NodeView {
    /** State of its apiserver, as the load balancer sees it. */
    readonly apiserver: Stated;
    readonly parts: readonly PartView[];
}

/** A control plane component. */
export interface PartView extends Stated {
    readonly component: string;
    /** @default it is not running */
    readonly origin?: PodOrigin;
}

export interface PoolView {
    readonly name: string;
    /** Such as `1 to 3 machines`. */
    readonly size: string;
    readonly nodes: readonly NodeView[];
}
