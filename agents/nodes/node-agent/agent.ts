import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describeError } from "../../../clients/kubernetes/api-error";
import type { NodePod } from "../../../clients/kubernetes/kubelet-api";
import type { Notice } from "../../../clients/kubernetes/nodes";
import { removeEnded, removePods } from "../../checkpointer/shutdown";
import type { Metric } from "../../harness/metrics";
import type { NodeView } from "./api";
import { CniPluginsChange, ContainerRuntimeChange, KubeletChange } from "./changes";
import type { CniPluginsAction } from "./cni-plugins/decide";
import type { ContainerRuntimeAction } from "./container-runtime/decide";
import { decideInterruption, type Interruption, type InterruptionAction } from "./interruption/decide";
import { InterruptionNotices } from "./interruption/notices";
import { Release } from "./interruption/waiting-group";
import type { Action } from "./kubelet/decide";
import { journals, nodeAgentMetrics, type Part } from "./metrics";
import { isQuiet, type Observation, type Observer, observe } from "./observe";
import { defaultLimits, type Limits, readyGate } from "./plan";
import type { RebootAction } from "./reboot/decide";
import { Reboot } from "./reboot/reboot";
import { decideRejoin, type Rejoining } from "./rejoin-network";

export interface NodeAgentOptions extends Observer {
    readonly log: (line: string) => void;
}

/** Milliseconds between two reconciles: while there is work, and while all is well. */
const intervals = { busy: 1_000, calm: 15_000 } as const;

/**
 * Keeps a node's kubelet, CNI plugins and container runtime at the desired versions, and reboots the machine when its
 * OS requests it.
 */
export class NodeAgent {
    readonly #observer: Observer;
    readonly #log: (line: string) => void;
    readonly #kubelet: KubeletChange;
    readonly #reboot: Reboot;
    readonly #cniPlugins: CniPluginsChange;
    readonly #runtime?: ContainerRuntimeChange;
    readonly #notices?: InterruptionNotices;
    readonly #release?: Release;
    #interruption?: Interruption;
    #summary?: string;
    #notReadyBecause: string | undefined = "the node was not checked yet";
    #reported?: string;
    readonly #evictions = new Map<string, string>();
    #lastLook = performance.now();
    #rejoining: Rejoining = {};

    constructor({ log, ...observer }: NodeAgentOptions) {
        this.#observer = observer;
        this.#log = log;
        const { plan, kubelets, cniPlugins, runtimes } = observer;
        const journal = (part: Part) => join(plan.directories.state, journals[part]);
        this.#kubelet = new KubeletChange(journal("kubelet"), kubelets, log);
        this.#reboot = new Reboot(journal("reboot"), observer, log);
        this.#cniPlugins = new CniPluginsChange(journal("cni-plugins"), cniPlugins, log);
        if (runtimes) {
            this.#runtime = new ContainerRuntimeChange(journal("container-runtime"), runtimes, log);
        }
        const { noticesFrom, group } = plan;
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
        const all = [this.#reboot, this.#cniPlugins, this.#runtime, this.#kubelet].map((each) => each?.failure);
        return this.#reported === undefined ? undefined : all.find((reason) => reason !== undefined);
    }

    metrics(): Metric[] {
        return nodeAgentMetrics({
            desired: this.#observer.plan.desired,
            isNodeDesired: this.#notReadyBecause === undefined,
            failures: {
                kubelet: this.#kubelet.failure,
                "cni-plugins": this.#cniPlugins.failure,
                "container-runtime": this.#runtime?.failure,
                reboot: this.#reboot.failure,
            },
            state: this.#observer.plan.directories.state,
            idleSeconds: (performance.now() - this.#lastLook) / 1000,
        });
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
                await this.reconcile();
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
                this.#interruption = await this.#notices.observe();
                if (this.#interruption) return;
            }
        }
    }

    /** Reconciles once. */
    async reconcile(): Promise<void> {
        const isInterrupted = this.#interruption !== undefined;
        const observation = await this.#observe(isInterrupted);
        if (this.#interruption) {
            await this.#leave(this.#interruption, observation);
            return;
        }
        const isKubeletChanging = this.#kubelet.isBegun;
        const isRuntimeChanging = this.#runtime?.isBegun ?? false;
        const isAnyBegun = isKubeletChanging || this.#cniPlugins.isBegun || isRuntimeChanging;
        const isChanging = !observation.isAsDesired || isAnyBegun;
        const reboot = this.#reboot.decide(observation.reboot, isChanging, this.#limits);
        // During a reboot nothing else is done to the node, and only one change is made at a time.
        const isRebooting = reboot.notReadyBecause !== undefined;
        const isOtherChanging = isKubeletChanging || isRuntimeChanging;
        const plugins = isRebooting ? undefined : this.#cniPlugins.decide(observation.cniPlugins, isOtherChanging);
        const arePluginsChanging = plugins?.notReadyBecause !== undefined;
        const runtime = isRebooting || arePluginsChanging ? undefined : this.#decideRuntime(observation);
        const changes = [isRebooting ? reboot : undefined, plugins, runtime];
        const other = changes.find((change) => change?.notReadyBecause !== undefined);
        const decision = other ?? this.#kubelet.decide(observation.observed, this.#limits);
        // Counts from before are no longer valid.
        if (other) this.#kubelet.interrupt();
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

    /**
     * While all is well, watches replace requests: on a thousand nodes, polling would take a large part of the API's
     * capacity. What leads to an action is read from the API.
     */
    async #observe(isInterrupted: boolean): Promise<Observation> {
        if (this.#notReadyBecause === undefined && !isInterrupted) {
            const observation = await observe(this.#observer, this.#evictions, false, true);
            if (isQuiet(observation)) return observation;
        }
        return observe(this.#observer, this.#evictions, isInterrupted);
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
        const { actions, notice, summary } = decideInterruption(interruption, node, observed.left, hasOtherNodes);
        if (summary !== this.#summary) this.#log(summary);
        this.#summary = summary;
        await this.#tell(node, notice);
        for (const action of actions) await this.#do(action, observation);
    }

    #decideRuntime({ runtime }: Observation) {
        return runtime && this.#runtime?.decide(runtime, this.#kubelet.isBegun, this.#limits);
    }

    get #limits(): Limits {
        return { ...defaultLimits, ...this.#observer.plan.limits };
    }

    async #do(
        action: Action | RebootAction | CniPluginsAction | ContainerRuntimeAction | InterruptionAction,
        { node, observed, cniPlugins, runtime, toDrain }: Observation,
    ): Promise<void> {
        const { api } = this.#observer;
        switch (action) {
            case "fetch":
            case "switch":
                // It logs its own result.
                await this.#kubelet.act(action, observed);
                return;
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
                // `yield` logs its result; `reboot` is repeated until the machine goes down, and an event reports it.
                await this.#reboot.act(action);
                return;
            case "ask":
            case "withdraw":
            case "recall":
                await this.#reboot.act(action);
        }
        this.#log(`${action}: done`);
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
        if (notice === undefined || notice.reason === this.#reported || node === undefined) {
            this.#reported = notice === undefined && node !== undefined ? undefined : this.#reported;
            return;
        }
        try {
            await this.#observer.api.report(node, notice);
            this.#reported = notice.reason;
        } catch (error) {
            // The next reconcile tries again if it still applies.
            this.#log(`could not write an event: ${describeError(error)}`);
        }
    }
}
