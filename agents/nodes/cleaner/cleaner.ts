import { type ApiClient, remove } from "../../../clients/kubernetes/api-client";
import { describeError, describePassing } from "../../../clients/kubernetes/api-error";
import { eventsPath, type Notice, nodeEvent, normal, warning } from "../../../clients/kubernetes/nodes";
import { WatchedList } from "../../../clients/kubernetes/watched-list";
import {
    type KnownNode,
    readySeconds,
    removalReason,
    type Suspect,
    suspectSeconds,
    suspectsAmong,
    whatCounts,
} from "./decide";
import type { NodeCleanerPlan } from "./plan";

/** States of instances by ID, in EC2's terms. Those that EC2 does not list are left out. */
export type InstanceStates = ReadonlyMap<string, string>;

export interface CleanerArgs {
    readonly api: ApiClient;
    readonly plan: NodeCleanerPlan;
    /** Queries EC2. Instances that it does not list are left out. */
    readonly statesOf: (ids: readonly string[]) => Promise<InstanceStates>;
    readonly log: (line: string) => void;
    /** Monotonic seconds: a clock that jumps must not make a node look unreachable for long. */
    readonly clock?: () => number;
}

const source = { component: "node-cleaner" };
const leastPause = 15;
const mostPause = 600;

/**
 * Deletes nodes whose instances no longer exist, or never did. A restart resets only how long each node has not been
 * Ready, or has been unknown to EC2.
 */
export class NodeCleaner {
    readonly #args: Required<CleanerArgs>;
    /** Since when each node has not been Ready, by UID. */
    #notReady: ReadonlyMap<string, number> = new Map();
    /** Since when EC2 has not listed the instance of each Ready node, by UID. */
    #unknown: ReadonlyMap<string, number> = new Map();
    /** When EC2 is to be queried about Ready nodes. */
    #nextReady = Number.NEGATIVE_INFINITY;
    /** Consecutive EC2 errors, and when to query it again. */
    #refusals = { count: 0, until: Number.NEGATIVE_INFINITY };
    #said?: string;
    /** Events already sent, by UID of the node. */
    readonly #reported = new Map<string, string>();

    /** A node that has changed since is not deleted. */
    readonly #nodes: WatchedList<KnownNode>;

    constructor(args: CleanerArgs) {
        this.#args = { clock: () => performance.now() / 1000, ...args };
        this.#nodes = new WatchedList(args.api, "/api/v1/nodes", whatCounts);
    }

    /** Reconciles once. A transient error is logged and retried in the next reconcile. */
    async reconcile(): Promise<void> {
        try {
            await this.#reconcile();
        } catch (error) {
            this.#say(`retrying: ${describePassing(error)}`);
        }
    }

    async #reconcile(): Promise<void> {
        const { plan, clock } = this.#args;
        const nodes = await this.#nodes.read();
        const now = clock();
        const all = suspectsAmong(nodes, plan);
        const notReady = all.filter((each) => !each.isReady);
        this.#notReady = new Map(notReady.map(({ uid }) => [uid, this.#notReady.get(uid) ?? now]));
        const notReadySeconds = ({ uid }: Suspect) => now - this.#notReady.get(uid)!;
        const isDue = now >= this.#nextReady;
        const ready = isDue ? all.filter((each) => each.isReady) : [];
        const suspects = [...notReady.filter((each) => notReadySeconds(each) >= suspectSeconds), ...ready];
        if (suspects.length === 0 || now < this.#refusals.until) return;
        const states = await this.#ask(suspects);
        if (states === undefined) return;
        if (isDue) {
            const unknown = ready.filter(({ instance }) => !states.has(instance));
            this.#unknown = new Map(unknown.map(({ uid }) => [uid, this.#unknown.get(uid) ?? now]));
            this.#nextReady = now + readySeconds;
        }
        const unknownSeconds = ({ uid }: Suspect) => now - (this.#unknown.get(uid) ?? now);
        for (const suspect of suspects) {
            const seconds = suspect.isReady ? unknownSeconds(suspect) : notReadySeconds(suspect);
            const why = removalReason(states.get(suspect.instance), seconds);
            if (why) await this.#delete(suspect, why);
        }
    }

    /** EC2's answer about their instances; undefined if it gives none, for whatever reason: then nothing is deleted. */
    async #ask(suspects: readonly Suspect[]): Promise<InstanceStates | undefined> {
        try {
            const states = await this.#args.statesOf(suspects.map(({ instance }) => instance));
            this.#refusals = { count: 0, until: Number.NEGATIVE_INFINITY };
            return states;
        } catch (error) {
            const count = this.#refusals.count + 1;
            this.#refusals = { count, until: this.#args.clock() + pauseAfter(count) };
            const why = `cannot query EC2 for the state of instances: ${describeError(error)}`;
            this.#say(why);
            for (const suspect of suspects.filter((each) => !each.isReady)) {
                if (this.#reported.get(suspect.uid) === why) continue;
                await this.#tell(suspect, warning("InstanceUnknown", why));
                this.#reported.set(suspect.uid, why);
            }
            return undefined;
        }
    }

    /** Deletes the node only if it is unchanged since it was observed: one that is back has changed. */
    async #delete(suspect: Suspect, why: string): Promise<void> {
        const { name, uid, resourceVersion, instance } = suspect;
        const preconditions = { uid, resourceVersion };
        const options = { apiVersion: "v1", kind: "DeleteOptions", preconditions };
        try {
            if (!(await remove(this.#args.api, `/api/v1/nodes/${name}`, options))) return;
        } catch (error) {
            return this.#say(`cannot delete ${name} yet: ${describePassing(error)}`);
        }
        this.#reported.delete(uid);
        this.#args.log(`deleted ${name}: ${instance} ${why}`);
        await this.#tell(suspect, normal("DeletedNode", `the node was deleted: its instance ${instance} ${why}`));
    }

    async #tell(node: Suspect, notice: Notice): Promise<void> {
        const { name, uid } = node;
        await this.#args.api.call(eventsPath, { method: "POST", body: nodeEvent({ name, uid }, notice, source) });
    }

    /** A persistent problem is logged once. */
    #say(line: string): void {
        if (line !== this.#said) this.#args.log(line);
        this.#said = line;
    }
}

/** Pause after that many consecutive EC2 errors. Unit: seconds. */
export function pauseAfter(refusals: number): number {
    return Math.min(leastPause * 2 ** refusals, mostPause);
}
