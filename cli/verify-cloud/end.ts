import { waitFor } from "../../agents/harness/wait";
import { describeError } from "../../clients/kubernetes/api-error";
import { clouds } from "../../cluster/clouds";
import type { Run } from "./run";
import type { VerifyStack } from "./stack";

type Say = (line: string) => void;

/** What ends a run, and a later attempt to destroy. */
export type Ending = Pick<VerifyStack, "name" | "cloud" | "destroy" | "inState" | "inAccount" | "forget">;

/** Unit: seconds. Clouds list what they are deleting for a while. */
const limits = { deletion: 600, every: 5 };

/**
 * Destroys the stack, and removes its state only once the account has nothing of the cluster.
 *
 * @returns what is left, or may be: then the state is kept
 */
export async function end(stack: Ending, run: Run, seconds = limits): Promise<string[]> {
    const isDestroyed = await run.step("destroy", "everything", (say) => stack.destroy(say));
    const isForgotten =
        isDestroyed &&
        (await run.step("search the account", "for anything of the cluster", async (say) => {
            await untilEmpty(stack, say, seconds);
            await stack.forget();
            return "it has nothing of the cluster";
        }));
    return isForgotten ? [] : whatIsLeft(stack);
}

async function untilEmpty(stack: Ending, report: Say, { deletion, every }: typeof limits): Promise<void> {
    await waitFor(
        { deadline: performance.now() + deletion * 1000, report },
        "the account to have nothing of the cluster",
        async () => (await stack.inAccount()).join(", ") || undefined,
        { everyMilliseconds: every * 1000 },
    );
}

async function whatIsLeft(stack: Ending): Promise<string[]> {
    const unknown = (where: string) => (error: unknown) => [`unknown in ${where}: ${describeError(error)}`];
    const inState = await Promise.resolve()
        .then(() => stack.inState())
        .catch(unknown("the state"));
    const inAccount = await stack.inAccount().catch(unknown("the account"));
    const all = [...new Set([...inState, ...inAccount])];
    return all.length > 0 ? all : ["nothing that is known, but the account was not searched to the end"];
}

/** What to do about it. */
export function howToDestroy({ cloud, name }: Pick<Ending, "cloud" | "name">, left: readonly string[]): string[] {
    return [
        "NOT everything is known to be destroyed, and what exists costs money:",
        ...left.map((each) => `  ${each}`),
        "The state is kept. Destroy the cluster with",
        `  ${destroyCommand({ cloud, name })}`,
        "What exists in the account:",
        ...clouds[cloud].listingCommands(name).map((command) => `  ${command}`),
    ];
}

export function destroyCommand({ cloud, name }: Pick<Ending, "cloud" | "name">): string {
    return `npm run tradewind -- verify-cloud --cloud ${cloud} --name ${name} --destroy`;
}
