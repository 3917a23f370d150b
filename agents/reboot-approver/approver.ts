import type { ApiClient } from "../common/api-client";
import { describePassing } from "../common/api-error";
import { eventsPath, nodeEvent } from "../common/node-event";
import { type RebootTurn, turnOf } from "../common/reboot-turn";
import { type Decision, decideTurn, type NodeSight } from "./decide";
import { readLease, writeTurn } from "./lease";
import { nodesSeen, problemsSeen } from "./observe";
import type { RebootApproverPlan } from "./plan";
import { openUntil } from "./windows";

/** Gives nodes their turn to reboot. What it has to know of turns is in the Lease. */
export class RebootApprover {
    #said?: string;
    /** Since when whose turn it is has not been Ready: milliseconds. */
    #away?: { readonly node: string; readonly since: number };
    #told?: string;

    constructor(
        private readonly api: ApiClient,
        private readonly plan: RebootApproverPlan,
        private readonly log: (line: string) => void,
        /** Milliseconds since any moment. */
        private readonly clock: () => number = () => performance.now(),
    ) {}

    /** One look at the cluster, and what follows from it. An error that may pass is said, and the next look tries again. */
    async look(time = new Date()): Promise<void> {
        try {
            await this.#look(time);
        } catch (error) {
            this.#say(`trying again: ${describePassing(error)}`);
        }
    }

    async #look(time: Date): Promise<void> {
        const lease = await readLease(this.api);
        const turn = lease && turnOf(lease);
        const end = openUntil(this.plan.windows, time.getTime() / 1000);
        if (turn === undefined && end === undefined) {
            return this.#say("no window is open");
        }
        const nodes = await nodesSeen(this.api, this.plan);
        const isAnyNext = turn?.until === undefined && nodes.some(({ asked }) => asked !== undefined);
        const problems = isAnyNext ? await problemsSeen(this.api, this.plan) : [];
        const awaySeconds = this.#awaySeconds(turn, nodes);
        const decision = decideTurn({
            nodes,
            problems,
            awaySeconds,
            ...(turn && { turn }),
            ...(end !== undefined && { openUntil: end }),
        });
        if (JSON.stringify(decision.turn) !== JSON.stringify(turn)) {
            await writeTurn(this.api, lease, decision.turn, time);
        }
        this.#say(decision.why);
        await this.#tell(decision, nodes);
    }

    #awaySeconds(turn: RebootTurn | undefined, nodes: readonly NodeSight[]): number {
        const now = this.clock();
        const holder = turn && nodes.find(({ name }) => name === turn.node);
        if (holder === undefined || holder.isReady) {
            this.#away = undefined;
            return 0;
        }
        if (this.#away?.node !== holder.name) {
            this.#away = { node: holder.name, since: now };
        }
        return (now - this.#away.since) / 1000;
    }

    /** What lasts is said once. */
    #say(line: string): void {
        if (line !== this.#said) {
            this.log(line);
            this.#said = line;
        }
    }

    /** Once for each request. */
    async #tell({ notice, turn }: Decision, nodes: readonly NodeSight[]): Promise<void> {
        const node = nodes.find(({ name }) => name === turn?.node);
        if (notice === undefined || node === undefined || this.#told === turn?.request) {
            return;
        }
        const { name, uid } = node;
        const body = nodeEvent({ name, uid }, notice, { component: "reboot-approver" });
        await this.api.call(eventsPath, { method: "POST", body });
        this.#told = turn?.request;
    }
}
