import * as pulumi from "@pulumi/pulumi";
import type { ApiClient } from "../../clients/kubernetes/api-client";
import { describeError } from "../../clients/kubernetes/api-error";
import { isMocked, settled, takesHooks } from "../pulumi/engine";
import { plainError } from "../pulumi/errors";
import { inProgram } from "../pulumi/hooks";
import { nodeOf } from "./cluster-view";
import type { SizeTurns } from "./hooks";
import { type BeforeStop, comeBack, leave, sizeAnnotation } from "./leave";

/** A lost cluster is recreated too, so this does not wait long for its API. */
const limits = { answer: 15, health: 300, drain: 300 };
/** Time for a new machine to boot and join. Unit: seconds. */
const backSeconds = 900;

/** Variable in the environment of a machine's token lifetime, which changes before the machine is replaced. */
export const recreationKey = "MADE_ANEW";

/**
 * Drains the listed machines before they are replaced, one after another, and uncordons their nodes once they are back.
 *
 * A hook before a machine's deletion would make `pulumi destroy` need the program, so the drain is one of another
 * resource, which the machine depends on. No hook waits for the new machine: the load balancer's firewall lets it in
 * only after it has been created.
 */
export class Recreation {
    readonly #left = new Map<string, BeforeStop>();
    readonly #isActive: boolean;
    #isApiLost = false;

    /** @param turns - shared with resizes: no two machines are drained at a time */
    constructor(
        readonly nodes: readonly string[],
        private readonly turns: SizeTurns,
    ) {
        this.#isActive = nodes.length > 0 && !pulumi.runtime.isDryRun() && !isMocked() && takesHooks();
    }

    /** The value, once the hooks can connect to the cluster. */
    ready<T>(value: pulumi.Output<T>): pulumi.Output<T> {
        return this.#isActive ? pulumi.all([value, this.turns.reachable]).apply(([known]) => known as T) : value;
    }

    /** Hooks of the resource with `recreationKey`. */
    hooksOf(node: string): pulumi.ResourceHookBinding {
        if (!this.#isActive) return {};
        const drain = async (args: pulumi.ResourceHookArgs) => {
            if (isRecreation(args)) await this.#drain(node);
        };
        return { beforeUpdate: [new pulumi.ResourceHook(`${node}-before-recreation`, inProgram(drain))] };
    }

    async #drain(node: string): Promise<void> {
        const { turns } = this.turns;
        await turns.take(node);
        try {
            const answer = this.#isApiLost ? 0 : limits.answer;
            const left = await this.turns.ask((api, say) => leave(api, node, { ...limits, answer }, say));
            this.#isApiLost = left === "no API";
            this.#left.set(node, left);
            turns.give(node);
        } catch (error) {
            turns.fail(node, describeError(error));
            throw error;
        }
    }

    /**
     * Uncordons the nodes once the new machines have joined, also those of an interrupted `up`.
     *
     * While the rest of `up` continues: Deployments that it waits for may only run on the one controller.
     *
     * @param machines - by node
     */
    finish(machines: Readonly<Record<string, pulumi.Resource>>): void {
        if (!this.#isActive) return;
        for (const node of this.nodes) {
            // The program does not end before.
            const done = pulumi.runtime.rpcKeepAlive();
            void settled(machines[node]!.urn.apply(() => this.#return(node))).finally(done);
        }
    }

    async #return(node: string): Promise<void> {
        try {
            await this.turns.ask((api, say) => returnTo(api, node, this.#left.get(node), backSeconds, say));
        } catch (error) {
            const what = `once it is, run \`pulumi up\` again before you remove it from recreate, or \`kubectl uncordon ${node}\``;
            throw plainError(`${describeError(error)}; ${what}`);
        }
    }
}

/** Whether an update of the resource with `recreationKey` precedes a replacement. */
export function isRecreation({
    oldInputs,
    newInputs,
}: Pick<pulumi.ResourceHookArgs, "oldInputs" | "newInputs">): boolean {
    const [before, after] = [oldInputs, newInputs].map((inputs) => inputs?.environment?.[recreationKey]);
    return before !== after;
}

/**
 * Waits for a node that was drained in this `up`, or is still cordoned by an earlier one, and uncordons it. Until an only
 * controller has joined, a receiver with another certificate may listen at the API's address: no error is final.
 *
 * @param left - undefined if it was not drained in this `up`
 * @throws if it does not come back
 */
export async function returnTo(
    api: ApiClient,
    node: string,
    left: BeforeStop | undefined,
    seconds: number,
    say: (line: string) => void,
): Promise<void> {
    if (typeof left === "object") return comeBack(api, node, left, seconds, say, describeError);
    try {
        if ((await nodeOf(api, node))?.metadata.annotations?.[sizeAnnotation] === undefined) return;
    } catch (error) {
        const advice = `if it is, run \`kubectl uncordon ${node}\``;
        return say(`whether ${node} is still cordoned was not checked: ${describeError(error)}; ${advice}`);
    }
    await comeBack(api, node, "no API", seconds, say, describeError);
}
