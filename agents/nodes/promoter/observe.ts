import type { EtcdClient, Member } from "../../../clients/etcd/client";
import { voterHealth } from "../../../clients/etcd/members";
import { type ApiClient, list } from "../../../clients/kubernetes/api-client";
import { type ConfigMap, isReady, type Node, type Pod, type With } from "../../../clients/kubernetes/objects";
import { WatchedList } from "../../../clients/kubernetes/watched-list";
import { NodeDurations } from "./durations";
import { keepNode, nodeFacts, podFacts, readRequests } from "./facts";
import { type Observed, Scene } from "./observed";
import { memberLabel, type NodePromoterPlan } from "./plan";
import { controllersConfig, readRecord } from "./record";

/** For each member's answer. Unit: milliseconds. */
const answerMilliseconds = 3_000;

const system = "/api/v1/namespaces/kube-system";

export type Config = With<ConfigMap, "resourceVersion">;

/** What was observed, and the objects that it was read from. */
export interface Observation {
    readonly observed: Observed;
    readonly config: Config;
    readonly nodes: ReadonlyMap<string, Node>;
}

export interface Clients {
    readonly api: ApiClient;
    /** Of this machine's member. */
    readonly etcd: EtcdClient;
    readonly plan: NodePromoterPlan;
}

/** Watches the Nodes and the record, and asks etcd. */
export class Observer {
    readonly #nodes: WatchedList<Node>;
    readonly #configs: WatchedList<Config>;
    #durations = new NodeDurations();

    constructor(private readonly clients: Clients) {
        const { api, plan } = clients;
        this.#nodes = new WatchedList<Node>(api, "/api/v1/nodes", (node) => keepNode(node, plan.controllerLabel));
        const selector = `fieldSelector=${encodeURIComponent(`metadata.name=${controllersConfig}`)}`;
        this.#configs = new WatchedList<Config>(api, `${system}/configmaps?${selector}`);
    }

    /**
     * Whether this agent acts: its member is the leader. If no agent runs next to the leader, such as while its node is
     * being demoted, the first one does that runs next to a healthy voter. Two at a time do no harm.
     */
    async isActor(): Promise<boolean> {
        const { etcd, plan } = this.clients;
        const { header, leader = "0" } = await etcd.status(plan.etcd, answerMilliseconds);
        if (leader === "0" || leader === header.member_id) return leader !== "0";
        const running = new Set(
            (await this.#nodes.read())
                .filter(({ metadata, status }) => plan.controllerLabel in (metadata.labels ?? {}) && isReady(status))
                .map(({ metadata }) => metadata.name),
        );
        const members = await etcd.members();
        const isRunning = ({ name = "" }: Member) => running.has(name);
        if (members.some((member) => member.ID === leader && isRunning(member))) return false;
        const { healthy } = await voterHealth(etcd, members, answerMilliseconds);
        const able = members.filter((member) => healthy.has(member.ID) && isRunning(member)).map(({ ID }) => ID);
        return able.sort()[0] === header.member_id;
    }

    /** @param now - seconds of a monotonic clock */
    async observe(now: number): Promise<Observation> {
        const { etcd, plan } = this.clients;
        const config = await this.#config();
        const [record, requests] = [readRecord(config), readRequests(config)];
        const nodes = new Map((await this.#nodes.read()).map((node) => [node.metadata.name, node]));
        const facts = Object.keys(plan.peerUrls).flatMap((name) => {
            const node = nodes.get(name);
            return node === undefined ? [] : [nodeFacts(node, plan.controllerLabel)];
        });
        const isChanging = (name: string) => {
            const role = record[name]?.role;
            const isLabelled = nodes.get(name)?.metadata.labels?.[memberLabel] !== undefined;
            return role === "joining" || role === "leaving" || (role === undefined && isLabelled);
        };
        const changing = facts.filter(({ name, isReady: isUp }) => isUp && isChanging(name));
        // Before the members: a pod that has ended was a voter by then.
        const pods = await Promise.all(changing.map(async ({ name }) => [name, await this.#pods(name)] as const));
        const members = await etcd.members();
        const observed: Observed = {
            nodes: facts,
            members,
            health: await voterHealth(etcd, members, answerMilliseconds),
            record,
            requests,
            pods: Object.fromEntries(pods),
            lostSeconds: {},
            stageSeconds: {},
            now: Date.now(),
        };
        const durations = this.#durations.note(new Scene(observed, plan), now);
        return { observed: { ...observed, ...durations }, config, nodes };
    }

    /** What was observed before does not count any more. */
    forget(): void {
        this.#durations = new NodeDurations();
    }

    async #config(): Promise<Config> {
        const [config] = await this.#configs.read();
        if (config === undefined) throw new Error(`the ConfigMap ${controllersConfig} does not exist`);
        return config;
    }

    async #pods(node: string) {
        const pods = await list<Pod>(this.clients.api, `${system}/pods?fieldSelector=spec.nodeName%3D${node}`);
        return podFacts(pods, this.clients.plan.controllerLabel);
    }
}
