import { describeError } from "../../clients/kubernetes/api-error";
import type { Patience } from "./wait";

/** A named, idempotent part of a long process. */
export interface Step<Name extends string, Run extends Patience> {
    readonly name: Name;
    /** Does what is left to do and describes it. */
    readonly run: (run: Run) => Promise<string>;
}

/** An event of the log. */
export interface StepEvent<Name extends string = string> {
    readonly step: Name;
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

type Timeouts<Name extends string> = Readonly<Record<Name, number>>;

/**
 * Runs the steps in order.
 *
 * @param context - passed to every step, and may be changed by one
 * @param timeouts - of each step in seconds, unless its plan has another one
 * @param log - a failure waits for it
 */
export async function runSteps<
    Name extends string,
    Run extends Patience & { readonly plan: { readonly timeouts?: Partial<Timeouts<Name>> } },
>(
    steps: readonly Step<Name, Run>[],
    context: Omit<Run, keyof Patience>,
    timeouts: Timeouts<Name>,
    log: (event: StepEvent<Name>) => unknown,
): Promise<void> {
    const { plan } = context as Run;
    for (const { name, run } of steps) {
        const start = performance.now();
        const logEvent = (event: StepEvent["event"], message: string) =>
            log({ step: name, event, seconds: (performance.now() - start) / 1000, message });
        const patience: Patience = {
            deadline: start + (plan.timeouts?.[name] ?? timeouts[name]) * 1000,
            report: (message) => void logEvent("retry", message),
        };
        logEvent("start", "");
        try {
            logEvent("done", await run(Object.assign(context, patience) as Run));
        } catch (error) {
            await logEvent("failed", describeError(error));
            throw new StepFailed(`${name}: ${describeError(error)}`, { cause: error });
        }
    }
}

/** An event as a line of an agent's log. */
export function printStep(
    { step, event, seconds, message }: StepEvent,
    print: (line: string) => void = (line) => console.log(line),
): void {
    if (event !== "start") {
        print(`${step}: ${event === "failed" ? "failed: " : ""}${message} (${seconds.toFixed(1)}s)`);
    }
}
