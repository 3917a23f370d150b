import { type ApiClient, patch } from "../../../clients/kubernetes/api-client";
import { describeError, describePassing, ifFound, isExisting } from "../../../clients/kubernetes/api-error";
import { eventsPath, nodeEvent } from "../../../clients/kubernetes/nodes";
import {
    leasesPath,
    type RebootLease,
    type RebootTurn,
    rebootAnnotation,
    rebootLease,
    rebootLeasePath,
    rebootUntilAnnotation,
    turnOf,
} from "../../../clients/kubernetes/reboot-turn";
import type { WatchedList } from "../../../clients/kubernetes/watched-list";
import { type Decision, decideTurn, type NodeObservation, openUntil } from "./decide";
import { asksForReboot, type ObservedNode, observeNodes, observeProblems, watchedNodes } from "./observe";
import type { RebootApproverPlan } from "./plan";

/** Gives nodes their turn to reboot. Its state is in the Lease. */
export class RebootApprover {
    #said?: string;
    /** Since when the node whose turn it is has not been Ready: milliseconds. */
    #notReady?: { readonly node: string; readonly since: number };
    #reported?: string;
    /** Whether it may be a node's turn: only this agent gives turns. */
    #mayBeTurn = true;
    readonly #watched: WatchedList<ObservedNode>;

    constructor(
        private readonly api: ApiClient,
        private readonly plan: RebootApproverPlan,
        private readonly log: (line: string) => void,
        /** Monotonic milliseconds. */
        private readonly clock: () => number = () => performance.now(),
    ) {
        this.#watched = watchedNodes(api);
    }

    /** Reconciles once. A transient error is logged and retried in the next reconcile. */
    async reconcile(time = new Date()): Promise<void> {
        try {
            await this.#reconcile(time);
        } catch (error) {
            // Another agent created the Lease first: the next reconcile reads it.
            this.#say(`retrying: ${isExisting(error) ? describeError(error) : describePassing(error)}`);
        }
    }

    async #reconcile(time: Date): Promise<void> {
        const end = openUntil(this.plan.windows, time.getTime() / 1000);
        if (!this.#mayBeTurn && (end === undefined || !(await this.#watched.read()).some(asksForReboot))) {
            return this.#say(end === undefined ? "no window is open" : "no node requests a reboot");
        }
        // From here on, not from a watch: a node-agent and this agent rely on one of them seeing the other's write.
        const lease = await readLease(this.api);
        const turn = lease && turnOf(lease);
        this.#mayBeTurn = turn !== undefined;
        if (turn === undefined && end === undefined) {
            return this.#say("no window is open");
        }
        const nodes = await observeNodes(this.api, this.plan);
        const isAnyNext = turn?.until === undefined && nodes.some(({ asked }) => asked !== undefined);
        const problems = isAnyNext ? await observeProblems(this.api, this.plan) : [];
        const notReadySeconds = this.#notReadySeconds(turn, nodes);
        const decision = decideTurn({
            nodes,
            problems,
            notReadySeconds,
            lateSeconds: turn?.until === undefined ? 0 : time.getTime() / 1000 - turn.until,
            ...(turn && { turn }),
            ...(end !== undefined && { openUntil: end }),
        });
        if (JSON.stringify(decision.turn) !== JSON.stringify(turn)) {
            this.#mayBeTurn = true;
            await writeTurn(this.api, lease, decision.turn, time);
        }
        this.#say(decision.why);
        await this.#tell(decision, nodes);
    }

    #notReadySeconds(turn: RebootTurn | undefined, nodes: readonly NodeObservation[]): number {
        const now = this.clock();
        const holder = turn && nodes.find(({ name }) => name === turn.node);
        if (holder === undefined || holder.isReady) {
            this.#notReady = undefined;
            return 0;
        }
        if (this.#notReady?.node !== holder.name) {
            this.#notReady = { node: holder.name, since: now };
        }
        return (now - this.#notReady.since) / 1000;
    }

    /** A persistent problem is logged once. */
    #say(line: string): void {
        if (line !== this.#said) {
            this.log(line);
            this.#said = line;
        }
    }

    /** Once per request. */
    async #tell({ notice, turn }: Decision, nodes: readonly NodeObservation[]): Promise<void> {
        const node = nodes.find(({ name }) => name === turn?.node);
        if (notice === undefined || node === undefined || this.#reported === turn?.request) {
            return;
        }
        const { name, uid } = node;
        const body = nodeEvent({ name, uid }, notice, { component: "reboot-approver" });
        await this.api.call(eventsPath, { method: "POST", body });
        this.#reported = turn?.request;
    }
}

/** The Lease; undefined before the first turn. */
function readLease(api: ApiClient): Promise<RebootLease | undefined> {
    return ifFound(api.call<RebootLease>(rebootLeasePath));
}

/** Records whose turn it is, unless the Lease was changed in the meantime. */
async function writeTurn(
    api: ApiClient,
    lease: RebootLease | undefined,
    turn: RebootTurn | undefined,
    time: Date,
): Promise<void> {
    const fields = fieldsOf(turn, time, lease?.spec);
    if (lease === undefined) {
        // In a new object, null is an empty text and not a missing field.
        const [annotations, spec] = [withoutNulls(fields.annotations), withoutNulls(fields.spec)];
        const metadata = { name: rebootLease, namespace: "kube-system", annotations };
        const body = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata, spec };
        await api.call(leasesPath, { method: "POST", body });
        return;
    }
    const { resourceVersion } = lease.metadata;
    const body = { metadata: { resourceVersion, annotations: fields.annotations }, spec: fields.spec };
    await patch(api, rebootLeasePath, "merge", body);
}

function fieldsOf(turn: RebootTurn | undefined, time: Date, before: RebootLease["spec"] = {}) {
    const until = turn?.until === undefined ? null : new Date(turn.until * 1000).toISOString();
    const isOther = turn?.node !== before.holderIdentity;
    // Kubernetes' format of such times.
    const now = time.toISOString().replace("Z", "000Z");
    return {
        annotations: { [rebootAnnotation]: turn?.request ?? null, [rebootUntilAnnotation]: until },
        spec: {
            holderIdentity: turn?.node ?? null,
            ...(isOther && { acquireTime: turn ? now : null, leaseTransitions: (before.leaseTransitions ?? 0) + 1 }),
            renewTime: turn ? now : null,
        },
    };
}

function withoutNulls(fields: object): object {
    return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
