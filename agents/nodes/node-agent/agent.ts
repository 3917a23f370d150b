import { setTimeout as sleep } from "node:timers/promises";
import { describeError } from "../../../clients/kubernetes/api-error";
import type { NodePod } from "../../../clients/kubernetes/kubelet-api";
import type { Notice } from "../../../clients/kubernetes/nodes";
import { removeEnded, removePods } from "../../checkpointer/shutdown";
import type { NodeView } from "./api";
import { CniPluginsChange } from "./cni-plugins/change";
import type { CniPluginsAction } from "./cni-plugins/decide";
import { ContainerRuntimeChange } from "./container-runtime/change";
import type { ContainerRuntimeAction } from "./container-runtime/decide";
import { decideInterruption, type Interruption, type InterruptionAction } from "./interruption/decide";
import { InterruptionNotices } from "./interruption/notices";
import { Release } from "./interruption/waiting-group";
import { type Action, decide, targetOf } from "./kubelet/decide";
import { type Journal, journalFile } from "./kubelet/journal";
import type { Memory } from "./memory";
import { type Observation, type Observer, observe } from "./observe";
import { defaultLimits, type Kubelet, type Limits, readyGate } from "./plan";
import type { RebootAction } from "./reboot/decide";
import { Reboot } from "./reboot/reboot";
import { decideRejoin, type Rejoining } from "./rejoin-network";
import type { StateFile } from "./state-file";

export interface NodeAgentOptions extends Observer {
    readonly log: (line: string) => void;
}

/** Milliseconds between two reconciles: while there is work, and while all is well. */
const intervals = { busy: 1_000, calm: 15_000 } as const;

/** Milliseconds before a failed download is retried. */
const fetchAgainMilliseconds = 15_000;

/**
 * Keeps a node's kubelet, CNI plugins and container runtime at the desired versions, and reboots the machine when its
 * OS requests it.
 */
export class NodeAgent {
    readonly #observer: Observer;
    readonly #log: (line: string) => void;
    readonly #file: StateFile<Journal>;
    #journal: Journal;
    readonly #reboot: Reboot;
    readonly #cniPlugins: CniPluginsChange;
    readonly #runtime?: ContainerRuntimeChange;
    readonly #notices?: InterruptionNotices;
    readonly #release?: Release;
    #interruption?: Interruption;
    #standing?: string;
    #memory?: Memory;
    #notReadyBecause: string | undefined = "the node was not checked yet";
    #told?: string;
    readonly #evictions = new Map<string, string>();
    #fetch?: { readonly problem: string; readonly at: number };
    #lastLook = performance.now();
    #rejoining: Rejoining = {};

    constructor({ log, ...observer }: NodeAgentOptions) {
        this.#observer = observer;
        this.#log = log;
        const { state } = observer.plan.directories;
        this.#file = journalFile(state);
        this.#journal = this.#file.read();
        this.#reboot = new Reboot(state, observer, log);
        this.#cniPlugins = new CniPluginsChange(state, observer.cniPlugins, log);
        if (observer.runtimes) this.#runtime = new ContainerRuntimeChange(state, observer.runtimes, log);
        const { noticesFrom, group } = observer.plan;
        if (noticesFrom === undefined) return;
        this.#notices = new InterruptionNotices(noticesFrom, log);
        if (group) this.#release = new Release(group, noticesFrom, log);
    }

    /** Why the agent is stalled, if it is. */
    stall(): string | undefined {
        const seconds = (performance.now() - this.#lastLook) / 1000;
        // A download may take a while.
        return seconds > 1_200 ? `no reconcile for ${seconds.toFixed(0)} s` : undefined;
    }

    /** Why the node is not in the desired state, if it is not. */
    notReadyBecause(): string | undefined {
        return this.#notReadyBecause;
    }

    /** Why a reboot or a change of the kubelet, the CNI plugins or the runtime failed, once that was reported. */
    failure(): string | undefined {
        const ofKubelet = this.#journal.phase === "failed" ? this.#journal.reason : undefined;
        const ofRuntime = this.#runtime?.failure();
        const reason = this.#reboot.failure() ?? this.#cniPlugins.failure() ?? ofRuntime ?? ofKubelet;
        return this.#told === undefined ? undefined : reason;
    }

    /**
     * Reconciles repeatedly until a reboot or a change fails.
     *
     * Then the agent exits, and the kubelet restarts it with growing back-off: the last message of a failed container
     * is what `pulumi up` shows for a pod.
     */
    async run(): Promise<string> {
        for (;;) {
            try {
                await this.look();
            } catch (error) {
                this.#log(`reconcile failed: ${describeError(error)}`);
            }
            const failure = this.failure();
            // A node that is being terminated is drained whatever else is wrong with it.
            if (failure !== undefined && !this.#interruption) {
                return failure;
            }
            await this.#rest(
                this.#notReadyBecause === undefined && !this.#interruption ? intervals.calm : intervals.busy,
            );
        }
    }

    /** Until the next reconcile, or until the cloud announces that it takes the machine away. */
    async #rest(milliseconds: number): Promise<void> {
        const end = performance.now() + milliseconds;
        while (performance.now() < end) {
            await sleep(Math.min(end - performance.now(), intervals.busy));
            if (!this.#interruption && this.#notices) {
                this.#interruption = await this.#notices.look();
                if (this.#interruption) return;
            }
        }
    }

    /** Reconciles once. */
    async look(): Promise<void> {
        const outcome = {
            evictions: this.#evictions,
            isInterrupted: this.#interruption !== undefined,
            ...(this.#fetch && { fetchProblem: this.#fetch.problem }),
        };
        const observation = await observe(this.#observer, outcome);
        if (this.#interruption) {
            await this.#leave(this.#interruption, observation);
            return;
        }
        const isKubeletChanging = this.#journal.phase !== "idle";
        const isRuntimeChanging = this.#runtime?.isBegun ?? false;
        const isAnyBegun = isKubeletChanging || this.#cniPlugins.isBegun || isRuntimeChanging;
        const isChanging = !observation.isAsWanted || isAnyBegun;
        const reboot = this.#reboot.decide(observation.reboot, isChanging, this.#limits);
        // During a reboot nothing else is done to the node, and only one change is made at a time.
        const isRebooting = reboot.notReadyBecause !== undefined;
        const isOtherChanging = isKubeletChanging || isRuntimeChanging;
        const plugins = isRebooting ? undefined : this.#cniPlugins.decide(observation.cniPlugins, isOtherChanging);
        const arePluginsChanging = plugins?.notReadyBecause !== undefined;
        const runtime = isRebooting || arePluginsChanging ? undefined : this.#decideRuntime(observation);
        const changes = [isRebooting ? reboot : undefined, plugins, runtime];
        const other = changes.find((change) => change?.notReadyBecause !== undefined);
        const decision = other ?? this.#decideKubelet(observation);
        // Counts from before are no longer valid.
        if (other) this.#memory = undefined;
        if (runtime === undefined) this.#runtime?.interrupt();
        this.#lastLook = performance.now();
        // Without an answer from the API nothing is known about the kubelet: the previous result stays.
        if (observation.node !== undefined || this.#notReadyBecause !== undefined) {
            this.#report(decision.notReadyBecause, observation.problem);
        }
        await this.#gate(observation.own);
        await this.#tell(observation.node, decision.notice ?? reboot.notice ?? plugins?.notice ?? runtime?.notice);
        const others = isRebooting ? [] : reboot.actions;
        for (const action of [...decision.actions, ...others]) {
            await this.#do(action, observation);
        }
        await removeEnded(observation.ended, this.#observer.api, this.#log);
        await this.#rejoin(observation);
    }

    /** Makes a Node that was registered again join the pod network. */
    async #rejoin({ node, pods }: Observation): Promise<void> {
        if (node === undefined) return;
        const { uid, network } = node;
        const { remove, memory } = decideRejoin({ uid, ...network }, pods, this.#rejoining, performance.now() / 1000);
        this.#rejoining = memory;
        await removePods(remove, "its Node was registered again", this.#observer.api, this.#log);
    }

    /** Nothing else is done to a node whose machine is being taken away. */
    async #leave(interruption: Interruption, observation: Observation): Promise<void> {
        this.#lastLook = performance.now();
        const { node, observed } = observation;
        // Without the API no pod is evicted; the next reconcile tries again.
        if (node === undefined) return;
        const { hasOtherNodes } = this.#observer.plan;
        const { actions, notice, standing } = decideInterruption(interruption, node, observed.left, hasOtherNodes);
        if (standing !== this.#standing) this.#log(standing);
        this.#standing = standing;
        await this.#tell(node, notice);
        for (const action of actions) await this.#do(action, observation);
    }

    #decideRuntime({ runtime }: Observation) {
        return runtime && this.#runtime?.decide(runtime, this.#journal.phase !== "idle", this.#limits);
    }

    #decideKubelet({ observed }: Observation) {
        const decision = decide(this.#journal, observed, this.#memory, performance.now() / 1000, this.#limits);
        this.#memory = decision.memory;
        this.#write(decision.journal);
        return decision;
    }

    get #limits(): Limits {
        return { ...defaultLimits, ...this.#observer.plan.limits };
    }

    async #do(
        action: Action | RebootAction | CniPluginsAction | ContainerRuntimeAction | InterruptionAction,
        { node, observed, cniPlugins, runtime, toDrain }: Observation,
    ): Promise<void> {
        const { api, kubelets } = this.#observer;
        switch (action) {
            case "fetch":
                if ("refusal" in observed.wanted || !(await this.#tryFetch(observed.wanted))) return;
                break;
            case "cordon":
            case "uncordon":
                await api.cordon(node!, action === "cordon");
                break;
            case "evict":
                // One by one: evictions with the same budget would only conflict.
                for (const pod of toDrain.filter(({ metadata }) => metadata.deletionTimestamp === undefined)) {
                    this.#evictions.set(pod.metadata.uid, await api.evict(pod));
                }
                return;
            case "fetch plugins":
            case "swap plugins":
                // It logs its own result.
                await this.#cniPlugins.act(action, cniPlugins);
                return;
            case "fetch runtime":
            case "request runtime":
            case "keep runtime":
                if (runtime) await this.#runtime?.act(action, runtime);
                return;
            case "release":
                await this.#release?.give();
                return;
            case "yield":
            case "reboot":
                // The one logs its own result; the other is requested until the machine goes down, which an event
                // reports.
                await this.#reboot.act(action);
                return;
            case "ask":
            case "withdraw":
            case "recall":
                await this.#reboot.act(action);
                break;
            case "switch": {
                const journal = this.#journal;
                const target = targetOf(journal);
                if (target && (journal.phase === "upgrading" || journal.phase === "reverting")) {
                    kubelets.switchTo(target);
                    this.#write({ ...journal, isSwitched: true });
                }
            }
        }
        this.#log(`${action}: done`);
    }

    /** Failures are reported by the next reconcile. */
    async #tryFetch(kubelet: Kubelet): Promise<boolean> {
        if (this.#fetch && performance.now() - this.#fetch.at < fetchAgainMilliseconds) {
            return false;
        }
        try {
            await this.#observer.kubelets.fetch(kubelet);
            this.#fetch = undefined;
            return true;
        } catch (error) {
            this.#fetch = { problem: describeError(error), at: performance.now() };
            this.#log(this.#fetch.problem);
            return false;
        }
    }

    #write(journal: Journal): void {
        if (isOther(this.#journal, journal)) {
            this.#file.write(journal);
            this.#journal = journal;
        }
    }

    /** A persistent problem is logged once. */
    #report(notReadyBecause: string | undefined, problem: string | undefined): void {
        const text = notReadyBecause && problem ? `${notReadyBecause}: ${problem}` : notReadyBecause;
        if (text !== this.#notReadyBecause) {
            this.#log(text ?? "the node is in the desired state");
        }
        this.#notReadyBecause = text;
    }

    async #gate(own: NodePod | undefined): Promise<void> {
        const isOpen = this.#notReadyBecause === undefined;
        const condition = own?.status?.conditions?.find(({ type }) => type === readyGate);
        if (own === undefined || (condition?.status === "True") === isOpen) {
            return;
        }
        try {
            await this.#observer.api.gate(own, isOpen);
        } catch (error) {
            // The next reconcile tries again.
            this.#log(`could not update its readiness: ${describeError(error)}`);
        }
    }

    async #tell(node: NodeView | undefined, notice: Notice | undefined): Promise<void> {
        if (notice === undefined || notice.reason === this.#told || node === undefined) {
            this.#told = notice === undefined && node !== undefined ? undefined : this.#told;
            return;
        }
        try {
            await this.#observer.api.tell(node, notice);
            this.#told = notice.reason;
        } catch (error) {
            // The next reconcile tries again if it still applies.
            this.#log(`could not write an event: ${describeError(error)}`);
        }
    }
}

function isOther(one: object, other: object): boolean {
    return JSON.stringify(one) !== JSON.stringify(other);
}
