import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { ApiClient } from "../../../clients/kubernetes/api-client";
import { printStep, runSteps, type StepEvent } from "../../harness/steps";
import { ApiNotice } from "./api-notice";
import { hasStamp, Journal } from "./journal";
import { type BootstrapPlan, defaultTimeouts, type StepName } from "./plan";
import type { State, Step } from "./run";
import { recoverySteps, steps } from "./steps";
import { cleanUp, leftovers } from "./steps/end";

/** Turns a machine with a kubelet and an etcd into a self-hosted cluster, or resumes a run that was killed. */
export async function bootstrap(plan: BootstrapPlan, print: (line: string) => void = console.log): Promise<void> {
    const api = new ApiClient(plan.apiServer, () => readCredentials(plan));
    const journal = new Journal(plan.directories.state);
    const stages = new StageLog(plan.directories.state, print);
    const notice = new ApiNotice(api, plan.nodeName);
    const log = ({ step, event, seconds, message }: StepEvent<StepName>) => {
        // On disk before the step acts, so that it shows what a killed run was doing.
        if (event === "start") journal.start(step);
        if (event === "done") journal.finish(step, seconds);
        stages.write({ step, event, ...(event !== "start" && { seconds, message }) });
        if (event === "retry") void notice.report(`${step} is not done: ${message}`);
        return event === "failed" ? notice.report(`${step} failed: ${message}`) : undefined;
    };
    const state: State = { isApiUp: false, needsCopies: true };
    await runSteps(remainingSteps(plan), { plan, api, journal, state }, defaultTimeouts, log);
    print("the control plane is self-hosted");
}

/** Once the pivot is recorded on this disk, no other step may ever run again. */
function remainingSteps(plan: BootstrapPlan): readonly Step[] {
    if (!hasStamp(plan)) {
        return plan.recovery ? recoverySteps : steps;
    }
    return leftovers(plan).length > 0 ? [cleanUp] : [];
}

function readCredentials({ directories, credentials }: BootstrapPlan) {
    const read = (path: string) => readFileSync(join(directories.assets, path), "utf8");
    return { ca: read(credentials.ca), cert: read(credentials.cert), key: read(credentials.key) };
}

/** A line of `stages.jsonl`. A start, without more, is on the disk before the step acts. */
export interface StageEvent
    extends Pick<StepEvent<StepName>, "step" | "event">,
        Partial<Pick<StepEvent, "seconds" | "message">> {
    /** ISO 8601, UTC. */
    readonly time: string;
}

/** Log of the bootstrap's progress: `stages.jsonl` and standard output. */
export class StageLog {
    readonly #path: string;
    readonly #print: (line: string) => void;

    constructor(stateDirectory: string, print: (line: string) => void = console.log) {
        this.#path = join(stateDirectory, "stages.jsonl");
        this.#print = print;
    }

    write(event: Omit<StageEvent, "time">): void {
        append(this.#path, JSON.stringify({ time: new Date().toISOString(), ...event }));
        printStep({ seconds: 0, message: "", ...event }, this.#print);
    }
}

function append(path: string, line: string): void {
    // A power cut may have left half a line, to which this one must not be appended.
    const isTorn = existsSync(path) && !/(^|\n)$/.test(readFileSync(path, "utf8"));
    const descriptor = openSync(path, "a", 0o644);
    try {
        writeSync(descriptor, `${isTorn ? "\n" : ""}${line}\n`);
        fsyncSync(descriptor);
    } finally {
        closeSync(descriptor);
    }
}
