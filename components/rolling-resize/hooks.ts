import { setTimeout as sleep } from "node:timers/promises";
import * as pulumi from "@pulumi/pulumi";
import type { ApiClient } from "../../clients/kubernetes/api-client";
import { describeError } from "../../clients/kubernetes/api-error";
import { withKubeconfig } from "../../clients/kubernetes/checked-client";
import { settled, takesHooks } from "../pulumi/engine";
import { inProgram } from "../pulumi/hooks";
import { log } from "../pulumi/log";
import { type BeforeStop, comeBack, leave } from "./leave";

const limits = { answer: 60, health: 300, drain: 300 };
/** A cloud machine takes up to five minutes to start. Unit: seconds. */
const backSeconds = 900;
/** Time for a machine of a cluster whose API did not respond before either. */
const deadSeconds = 180;

/**
 * Resizes machines one at a time: each is drained, stopped, and back before the next one is stopped.
 *
 * Implemented as engine hooks around each update: a chain of resources would also create a new cluster's machines one
 * at a time.
 */
export class SizeTurns {
    readonly #input: string;
    readonly #adviceOn: (error: string) => string | undefined;
    readonly turns = new Turns();
    readonly #left = new Map<string, BeforeStop>();
    readonly #kubeconfig: Promise<string>;
    readonly #hooks?: pulumi.ResourceHookBinding;
    #reach: (kubeconfig: pulumi.Output<string>) => void = () => undefined;
    /** Resolves once the kubeconfig is known, or cannot be. A hook that waited for it could block the engine. */
    readonly reachable: Promise<unknown>;
    #end: () => void = () => undefined;

    /**
     * @param input - the machines' input whose change makes the cloud stop them
     * @param adviceOn - for an error of a change that passes by itself: the change is tried again, and this is what to
     * do if the error stays. @default - no error passes
     */
    constructor(cluster: string, input: string, adviceOn: (error: string) => string | undefined = () => undefined) {
        this.#input = input;
        this.#adviceOn = adviceOn;
        // Previews have no turns and need none.
        if (!pulumi.runtime.isDryRun() && takesHooks()) this.#hooks = this.#createHooks(cluster);
        this.#kubeconfig = new Promise((resolve) => {
            this.#reach = (kubeconfig) => void kubeconfig.apply(resolve);
        });
        this.reachable = new Promise<void>((resolve) => {
            this.#end = resolve;
        });
    }

    /** @param kubeconfig - administrator's; its server must be known before any machine */
    reachBy(kubeconfig: pulumi.Output<string>): void {
        this.#reach(kubeconfig);
        void settled(kubeconfig).then(this.#end, this.#end);
    }

    /** Hooks for the resource options of a machine, whose name is its node's. */
    get hooks(): pulumi.ResourceHookBinding {
        return this.#hooks ?? {};
    }

    /** The same ones for all machines: registering each takes the engine and the program a call. */
    #createHooks(cluster: string): pulumi.ResourceHookBinding {
        const isConcerned = ({ oldInputs, newInputs }: pulumi.ResourceHookArgs) =>
            oldInputs?.[this.#input] !== newInputs?.[this.#input];
        const hook = (when: string, act: (node: string) => Promise<void>) =>
            new pulumi.ResourceHook(
                `${cluster}-${when}`,
                inProgram(async (args: pulumi.ResourceHookArgs) => {
                    if (isConcerned(args)) await act(args.name);
                }),
            );
        const before = hook("before-other-size", (node) => this.#go(node));
        const after = hook("after-other-size", (node) => this.#return(node));
        const failed = new pulumi.ErrorHook(
            `${cluster}-other-size-failed`,
            inProgram((args: pulumi.ErrorHookArgs) => this.#onError(args)),
        );
        return { beforeUpdate: [before], afterUpdate: [after], onError: [failed] };
    }

    async #go(node: string): Promise<void> {
        await this.turns.take(node);
        try {
            this.#left.set(node, await this.ask((api, say) => leave(api, node, limits, say)));
        } catch (error) {
            this.turns.fail(node, describeError(error));
            throw error;
        }
    }

    async #return(node: string): Promise<void> {
        const left = this.#left.get(node) ?? "no node";
        try {
            if (left !== "no node") {
                const seconds = left === "no API" ? deadSeconds : backSeconds;
                await this.ask((api, say) => comeBack(api, node, left, seconds, say));
            }
            this.turns.give(node);
        } catch (error) {
            if (left === "no API") {
                this.turns.give(node);
                return log.warn(`${node}: ${describeError(error)}`);
            }
            const what = `${describeError(error)}; once it is, run \`kubectl uncordon ${node}\` and \`pulumi up\` again`;
            this.turns.fail(node, what);
            throw new Error(what);
        }
    }

    /** A machine that could not be changed is not waited for. */
    async #onError({ name, errors }: pulumi.ErrorHookArgs): Promise<boolean> {
        const [error = ""] = errors;
        const advice = this.#adviceOn(error);
        const pause = pauseAfter(errors.length);
        if (advice !== undefined && pause !== undefined) {
            if (errors.length === 1) await log.info(`${name}: trying again until it works: ${error}`);
            await sleep(pause * 1000);
            return true;
        }
        if (advice !== undefined) await log.error(`${name}: ${advice}`);
        this.turns.fail(name, `${name} could not be changed`);
        return false;
    }

    async ask<T>(act: (api: ApiClient, say: (line: string) => void) => Promise<T>): Promise<T> {
        const say = (line: string) => void log.info(line);
        return withKubeconfig(await this.#kubeconfig, "tradewind-up", (api) => act(api, say));
    }
}

/**
 * Seconds to pause before a change is tried again that cannot be made at the moment. @returns undefined after ten minutes
 */
export function pauseAfter(tries: number): number | undefined {
    return tries > 24 ? undefined : Math.min(2 ** (tries - 1), 30);
}

/** Allows one machine of a cluster at a time to be down. A failed one stops all others. */
export class Turns {
    #last: Promise<void> = Promise.resolve();
    #failure: string | undefined;
    readonly #ends = new Map<string, () => void>();

    /** Resolves when it is this machine's turn. @throws if another machine did not come back */
    async take(machine: string): Promise<void> {
        const before = this.#last;
        this.#last = new Promise((resolve) => this.#ends.set(machine, resolve));
        await before;
        if (this.#failure !== undefined) {
            this.#end(machine);
            throw new Error(`${machine} was not changed: ${this.#failure}`);
        }
    }

    /** The machine is back. */
    give(machine: string): void {
        this.#end(machine);
    }

    /** The machine is not back, so no other one is stopped. */
    fail(machine: string, why: string): void {
        this.#failure ??= why;
        this.#end(machine);
    }

    #end(machine: string): void {
        this.#ends.get(machine)?.();
        this.#ends.delete(machine);
    }
}
