import * as pulumi from "@pulumi/pulumi";
import { ApiClient } from "../../clients/kubernetes/api-client";
import { describeError } from "../../clients/kubernetes/api-error";
import { readKubeconfig } from "../../cluster/kubeconfig";
import { takesHooks } from "../pulumi/engine";
import { comeBack, type Left, leave } from "./leave";

const limits = { answer: 60, health: 300, drain: 300 };
/** A machine of a cloud takes up to five minutes to start. Unit: seconds. */
const backSeconds = 900;
/** What one has of a cluster that did not answer before either. */
const deadSeconds = 180;

/**
 * Has machines that are stopped for another size go one after another, each drained, and back before the next one goes.
 *
 * They are hooks of the engine around each update: a chain of resources would make a new cluster's machines one after
 * another, too.
 */
export class SizeTurns {
    readonly #input: string;
    readonly #turns = new Turns();
    readonly #left = new Map<string, Left>();
    readonly #kubeconfig: Promise<string>;
    #reach: (kubeconfig: pulumi.Output<string>) => void = () => undefined;

    /** @param input - the machines' input that makes the cloud stop them when it changes */
    constructor(input: string) {
        this.#input = input;
        this.#kubeconfig = new Promise((resolve) => {
            this.#reach = (kubeconfig) => void kubeconfig.apply(resolve);
        });
    }

    /** @param kubeconfig - administrator's; its server must be known before any machine is */
    reachBy(kubeconfig: pulumi.Output<string>): void {
        this.#reach(kubeconfig);
    }

    /** What goes into the options of a machine's resource. A preview, which has no turns, does without. */
    hooksOf(node: string): pulumi.ResourceHookBinding {
        if (pulumi.runtime.isDryRun() || !takesHooks()) return {};
        const isConcerned = ({ oldInputs, newInputs }: pulumi.ResourceHookArgs) =>
            oldInputs?.[this.#input] !== newInputs?.[this.#input];
        const hook = (when: string, act: () => Promise<void>) =>
            new pulumi.ResourceHook(`${node}-${when}`, async (args) => {
                if (isConcerned(args)) await act();
            });
        const before = hook("before-other-size", () => this.#go(node));
        const after = hook("after-other-size", () => this.#return(node));
        return { beforeUpdate: [before], afterUpdate: [after], onError: [this.#onError(node)] };
    }

    async #go(node: string): Promise<void> {
        await this.#turns.take(node);
        try {
            this.#left.set(node, await this.#ask((api, say) => leave(api, node, limits, say)));
        } catch (error) {
            this.#turns.fail(node, describeError(error));
            throw error;
        }
    }

    async #return(node: string): Promise<void> {
        const left = this.#left.get(node) ?? "no node";
        try {
            if (left !== "no node") {
                const seconds = left === "no API" ? deadSeconds : backSeconds;
                await this.#ask((api, say) => comeBack(api, node, left, seconds, say));
            }
            this.#turns.give(node);
        } catch (error) {
            if (left === "no API") {
                this.#turns.give(node);
                return pulumi.log.warn(`${node}: ${describeError(error)}`);
            }
            const what = `${describeError(error)}; when it is, \`kubectl uncordon ${node}\` and \`pulumi up\` again`;
            this.#turns.fail(node, what);
            throw new Error(what);
        }
    }

    /** A machine that could not be changed is not waited for. */
    #onError(node: string): pulumi.ErrorHook {
        return new pulumi.ErrorHook(`${node}-other-size-failed`, () => {
            this.#turns.fail(node, `${node} could not be changed`);
            return false;
        });
    }

    async #ask<T>(act: (api: ApiClient, say: (line: string) => void) => Promise<T>): Promise<T> {
        const { server, credentials } = readKubeconfig(await this.#kubeconfig);
        const api = new ApiClient(server, () => credentials, "tradewind-up");
        try {
            return await act(api, (line) => void pulumi.log.info(line));
        } finally {
            // The program ends when nothing is open any more.
            api.reconnect();
        }
    }
}

/** Lets one machine of a cluster after another be away. One that fails keeps the others where they are. */
export class Turns {
    #last: Promise<void> = Promise.resolve();
    #failure: string | undefined;
    readonly #ends = new Map<string, () => void>();

    /** Resolves when it is this machine's turn. @throws when another one did not come back */
    async take(machine: string): Promise<void> {
        const before = this.#last;
        this.#last = new Promise((resolve) => this.#ends.set(machine, resolve));
        await before;
        if (this.#failure !== undefined) {
            this.#end(machine);
            throw new Error(`${machine} stays as it is: ${this.#failure}`);
        }
    }

    /** The machine is back. */
    give(machine: string): void {
        this.#end(machine);
    }

    /** The machine is not, and nobody else goes. */
    fail(machine: string, why: string): void {
        this.#failure ??= why;
        this.#end(machine);
    }

    #end(machine: string): void {
        this.#ends.get(machine)?.();
        this.#ends.delete(machine);
    }
}
