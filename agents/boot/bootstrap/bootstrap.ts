import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { ApiClient } from "../../../clients/kubernetes/api-client";
import { describeError } from "../../../clients/kubernetes/api-error";
import { hasStamp, Journal } from "./journal";
import { type BootstrapPlan, defaultTimeouts, type StepName } from "./plan";
import type { Run, Step } from "./run";
import { recoverySteps, steps } from "./steps";
import { cleanUp, leftovers } from "./steps/end";
import { ApiNotice } from "./tell-api";

/** A step did not finish. */
export class StepFailed extends Error {
    override readonly name = "StepFailed";
}

/** Turns a machine with a kubelet and an etcd into a self-hosted cluster, or resumes a run that was killed. */
export async function bootstrap(plan: BootstrapPlan, print: (line: string) => void = console.log): Promise<void> {
    const run: Run = {
        plan,
        api: new ApiClient(plan.apiServer, () => readCredentials(plan)),
        journal: new Journal(plan.directories.state),
        state: { isApiUp: false, needsTemporary: true },
        deadline: 0,
        report: () => {},
    };
    const log = new StageLog(plan.directories.state, print);
    const notice = new ApiNotice(run.api, plan.nodeName);
    for (const step of remainingSteps(plan)) {
        await runStep(step, run, log, notice);
    }
    print("the control plane is self-hosted");
}

/** Once the pivot is recorded on this disk, no other step may ever run again. */
function remainingSteps(plan: BootstrapPlan): readonly Step[] {
    if (!hasStamp(plan)) {
        return plan.recovery ? recoverySteps : steps;
    }
    return leftovers(plan).length > 0 ? [cleanUp] : [];
}

async function runStep({ name, run: act }: Step, run: Run, log: StageLog, notice: ApiNotice): Promise<void> {
    const start = performance.now();
    const seconds = () => (performance.now() - start) / 1000;
    run.deadline = start + (run.plan.timeouts?.[name] ?? defaultTimeouts[name]) * 1000;
    run.report = (message) => {
        log.write({ step: name, event: "retry", seconds: seconds(), message });
        void notice.tell(`${name} is not done: ${message}`);
    };
    // On disk before the step acts, so that it shows what a killed run was doing.
    run.journal.start(name);
    log.write({ step: name, event: "start" });
    try {
        const message = await act(run);
        run.journal.finish(name, seconds());
        log.write({ step: name, event: "done", seconds: seconds(), message });
    } catch (error) {
        log.write({ step: name, event: "failed", seconds: seconds(), message: describeError(error) });
        await notice.tell(`${name} failed: ${describeError(error)}`);
        throw new StepFailed(`${name}: ${describeError(error)}`, { cause: error });
    }
}

function readCredentials({ directories, credentials }: BootstrapPlan) {
    const read = (path: string) => readFileSync(join(directories.assets, path), "utf8");
    return { ca: read(credentials.ca), cert: read(credentials.cert), key: read(credentials.key) };
}

/** A line of `stages.jsonl`. */
export interface StageEvent {
    /** ISO 8601, UTC. */
    readonly time: string;
    readonly step: StepName;
    /** `start` is on disk before the step acts; `retry` says what a step is waiting for. */
    readonly event: "start" | "done" | "retry" | "failed";
    /** Since the start of the step. */
    readonly seconds?: number;
    readonly message?: string;
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
        if (event.event !== "start") {
            this.#print(readable(event));
        }
    }
}

function readable({ step, event, seconds = 0, message = "" }: Omit<StageEvent, "time">): string {
    return `${step}: ${event === "failed" ? "failed: " : ""}${message} (${seconds.toFixed(1)}s)`;
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
