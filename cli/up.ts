import { Interrupted } from "./interrupt";
import { pulumiOperation } from "./pulumi-cli";
import { makeResumable } from "./resume";
import { ensureStack } from "./stack";
import type { ClusterState } from "./state";
import { type Operation, type TimedStage, UpOutput } from "./up-output";

export interface UpResult {
    /** How many resources were created, updated, replaced or deleted. */
    readonly changes: number;
    readonly timings: readonly TimedStage[];
    readonly operations: readonly Operation[];
}

const REMIND_MS = 15_000;

/** Brings the stack to what its program and its configuration say, going on after a run that was stopped. */
export async function up(state: ClusterState, say: (line: string) => void): Promise<UpResult> {
    await ensureStack(state);
    await makeResumable(state, say);
    return operate(state, ["up", "--skip-preview", "--yes", "--config-file", state.config], say);
}

/** Runs an operation and shows it as it goes; of a failed one, what Pulumi has to say about it too. @param env - more variables */
export async function operate(
    state: ClusterState,
    args: readonly string[],
    say: (line: string) => void,
    env: NodeJS.ProcessEnv = {},
): Promise<UpResult> {
    const output = new UpOutput();
    const reminder = setInterval(
        () => say(`still at work: ${[...output.running].join(", ") || "starting"}`),
        REMIND_MS,
    );
    try {
        const show = (line: string) => {
            const shown = output.take(line);
            if (shown !== undefined) {
                say(shown);
                reminder.refresh();
            }
        };
        await pulumiOperation(state, args, show, env);
    } catch (error) {
        for (const line of error instanceof Interrupted ? [] : output.diagnostics) {
            say(line);
        }
        throw error;
    } finally {
        clearInterval(reminder);
    }
    return output;
}
