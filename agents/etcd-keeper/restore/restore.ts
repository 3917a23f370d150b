import { describeError } from "../../common/api-error";
import { defaultTimeouts, type RestorePlan } from "./plan";
import { placesOf, type Step } from "./run";
import type { StepName } from "./step-names";
import { steps } from "./steps";

/** Something that those who watch are told. */
export interface StepEvent {
    readonly step: StepName;
    /** `retry` tells what a step is waiting for. */
    readonly event: "start" | "done" | "retry" | "failed";
    /** Since the step's start. */
    readonly seconds: number;
    readonly message: string;
}

/** A step did not come to its end. */
export class RestoreFailed extends Error {
    override readonly name = "RestoreFailed";
}

/** Makes this machine's member anew from a snapshot, or goes on where a killed run stopped. */
export async function restore(plan: RestorePlan, log: (event: StepEvent) => void): Promise<void> {
    for (const step of steps) {
        await runStep(step, plan, log);
    }
}

async function runStep(step: Step, plan: RestorePlan, log: (event: StepEvent) => void): Promise<void> {
    const start = performance.now();
    const tell = (event: StepEvent["event"], message: string) =>
        log({ step: step.name, event, seconds: (performance.now() - start) / 1000, message });
    const deadline = start + (plan.timeouts?.[step.name] ?? defaultTimeouts[step.name]) * 1000;
    tell("start", "");
    try {
        const report = (message: string) => tell("retry", message);
        tell("done", await step.run({ plan, places: placesOf(plan), deadline, report }));
    } catch (error) {
        tell("failed", describeError(error));
        throw new RestoreFailed(`${step.name}: ${describeError(error)}`, { cause: error });
    }
}
