import { describeError } from "../../clients/kubernetes/api-error";
import type { Patience } from "./wait";

export interface Step<Name extends string, Run extends Patience> {
    readonly name: Name;
    /** Does what is left to do and describes it. */
    readonly run: (run: Run) => Promise<string>;
}

/** An event of the log. */
export interface StepEvent {
    readonly step: string;
    /** `retry` says what a step is waiting for. */
    readonly event: "start" | "done" | "retry" | "failed";
    /** Since the start of the step. */
    readonly seconds: number;
    readonly message: string;
}

/** A step did not finish. */
export class StepFailed extends Error {
    override readonly name = "StepFailed";
}

/** Runs the steps in order, each with its timeout in seconds. `context` is passed to every step. */
export async function runSteps<Name extends string, Run extends Patience>(
    steps: readonly Step<Name, Run>[],
    context: Omit<Run, keyof Patience>,
    secondsFor: (step: Name) => number,
    log: (event: StepEvent) => void,
): Promise<void> {
    for (const step of steps) {
        const start = performance.now();
        const tell = (event: StepEvent["event"], message: string) =>
            log({ step: step.name, event, seconds: (performance.now() - start) / 1000, message });
        const patience: Patience = {
            deadline: start + secondsFor(step.name) * 1000,
            report: (message) => tell("retry", message),
        };
        tell("start", "");
        try {
            tell("done", await step.run({ ...context, ...patience } as Run));
        } catch (error) {
            tell("failed", describeError(error));
            throw new StepFailed(`${step.name}: ${describeError(error)}`, { cause: error });
        }
    }
}

/** An event as a line of an agent's log. */
export function printStep({ step, event, seconds, message }: StepEvent): void {
    if (event !== "start") {
        console.log(`${step}: ${event === "failed" ? "failed: " : ""}${message} (${seconds.toFixed(1)}s)`);
    }
}
