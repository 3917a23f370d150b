import type { Member } from "../../../clients/etcd/client";
import type { Health } from "../../../clients/etcd/members";
import type { NodePromoterPlan } from "./plan";
import type { Controllers, NodeRole } from "./record";

/** Observed state of the cluster. */
export interface Observed {
    /** The Nodes of those that may be controllers. The agent may change no others: those of former candidates. */
    readonly nodes: readonly NodeFacts[];
    readonly members: readonly Member[];
    readonly health: Health;
    readonly record: Controllers;
    /** What administrators ask for, by node: `promote` or `demote`. */
    readonly requests: Readonly<Record<string, string>>;
    /** Of nodes on their way to another role. */
    readonly pods: Readonly<Record<string, PodFacts>>;
    /** Seconds for which each lost controller has been lost without interruption. */
    readonly lostSeconds: Readonly<Record<string, number>>;
    /** Seconds for which each node on its way to another role has been seen on it. */
    readonly stageSeconds: Readonly<Record<string, number>>;
    /** Unit: milliseconds since 1970. */
    readonly now: number;
}

export interface NodeFacts {
    readonly name: string;
    readonly isReady: boolean;
    /** It has the label of controllers. */
    readonly hasRole: boolean;
    /** Value of its `memberLabel`. */
    readonly label?: string;
    /** It has the annotation of nodes that are being removed. */
    readonly isLeaving: boolean;
    readonly isCordoned: boolean;
    /** Its remaining checkpoints, described. */
    readonly checkpoints?: string;
}

export interface PodFacts {
    /** Names of pods and copies of the control plane that run on it. */
    readonly controlPlane: readonly string[];
    /** Its kube-apiserver is Ready. */
    readonly servesApi: boolean;
    /** Its etcd-join pod: `ended` once it is Ready, whether or not it has joined. */
    readonly join: "none" | "running" | "ended";
    /** Nothing of a controller is left on its disk. */
    readonly isClean: boolean;
}

/** Answers questions about what was observed. */
export class Scene {
    readonly #nodes: ReadonlyMap<string, NodeFacts>;

    constructor(
        readonly observed: Observed,
        readonly plan: NodePromoterPlan,
    ) {
        this.#nodes = new Map(observed.nodes.map((node) => [node.name, node]));
    }

    /** Every node with a role, sorted. */
    get names(): string[] {
        return [...new Set([...Object.keys(this.plan.peerUrls), ...Object.keys(this.observed.record)])].sort();
    }

    node(name: string): NodeFacts | undefined {
        return this.#nodes.get(name);
    }

    /** Whether the stack lets it be a controller. */
    isPlanned(name: string): boolean {
        return Object.hasOwn(this.plan.peerUrls, name);
    }

    isCandidate(name: string): boolean {
        return this.plan.candidates.includes(name);
    }

    recorded(name: string): NodeRole | undefined {
        return Object.hasOwn(this.observed.record, name) ? this.observed.record[name] : undefined;
    }

    member(name: string): Member | undefined {
        const url = this.plan.peerUrls[name];
        const { members } = this.observed;
        return members.find((each) => each.name === name || (url !== undefined && each.peerURLs?.includes(url)));
    }

    isHealthy(member: Member | undefined): boolean {
        return member !== undefined && !member.isLearner && this.observed.health.healthy.has(member.ID);
    }

    /** Its role. Without a record it follows from what the node is, so that a lost record demotes no controller. */
    role(name: string): NodeRole["role"] {
        const recorded = this.recorded(name)?.role;
        if (recorded !== undefined) return recorded;
        const label = this.node(name)?.label;
        if (label === "leaving") return "leaving";
        if (!this.isCandidate(name)) return "controller";
        const member = this.member(name);
        if (member !== undefined && !member.isLearner) return "controller";
        return member !== undefined || label === "joining" ? "leaving" : "candidate";
    }

    withRole(role: NodeRole["role"]): string[] {
        return this.names.filter((name) => this.role(name) === role);
    }

    /** Whether a controller ever was one: the stack's own first have to join. */
    isAdmitted(name: string): boolean {
        const wasPromoted = this.recorded(name) !== undefined;
        return wasPromoted || this.member(name) !== undefined || this.node(name)?.hasRole === true;
    }

    /** Whether its member does not answer, as that of a controller should. */
    isSilent(name: string): boolean {
        return this.isAdmitted(name) && !this.isHealthy(this.member(name));
    }

    /** Whether neither its kubelet nor its member answers. */
    isLost(name: string): boolean {
        return this.isSilent(name) && !this.node(name)?.isReady;
    }

    /** Whether it runs a control plane that works, as far as its Node and its member show. */
    isServing(name: string): boolean {
        const node = this.node(name);
        return node?.isReady === true && node.hasRole && this.isHealthy(this.member(name));
    }

    /** Of nodes on their way to another role. */
    pods(name: string): PodFacts {
        return this.observed.pods[name] ?? { controlPlane: [], servesApi: false, join: "none", isClean: false };
    }

    stageSeconds(name: string): number {
        return this.observed.stageSeconds[name] ?? 0;
    }
}
