import { redact } from "../../agents/harness/redact";
import { describeError } from "../../clients/kubernetes/api-error";
import { Interrupted, onSignals, orInterrupted } from "../../command-line/interrupt";
import type { Step } from "./report";

type Say = (line: string) => void;

/** Lines of a failed step that the report contains. */
const mostLines = 60;

/** Steps so far. After an interrupt, no other step runs. */
export class Run {
    readonly steps: Step[] = [];
    #isStopped = false;
    #isInStep = false;

    constructor(private readonly print: (line: string) => void = console.log) {}

    /** Runs further steps after an interrupt. */
    resume(): void {
        this.#isStopped = false;
    }

    /** Runs work in which Ctrl-C between two steps skips the next ones, instead of ending the process. */
    async protect<T>(work: () => Promise<T>): Promise<T> {
        const stop = onSignals(() => {
            if (!this.#isInStep) this.#isStopped = true;
        });
        try {
            return await work();
        } finally {
            stop();
        }
    }

    /** @returns whether it passed */
    async step(name: string, what: string, work: (say: Say) => Promise<string | undefined>): Promise<boolean> {
        if (this.#isStopped) return false;
        const began = performance.now();
        const lines: string[] = [];
        let isOver = false;
        const say = (line: string) => {
            // An interrupted step may still be waiting.
            if (isOver) return;
            lines.push(line);
            this.print(`    ${line}`);
        };
        this.print(`==> ${name}: ${what}`);
        const done = (outcome: Step["outcome"], more: Partial<Step> = {}) => {
            this.steps.push({
                name,
                what,
                outcome,
                seconds: Math.round((performance.now() - began) / 100) / 10,
                ...more,
            });
            return outcome === "passed";
        };
        this.#isInStep = true;
        try {
            const detail = await orInterrupted(() => work(say));
            if (detail) say(detail);
            return done("passed", detail ? { detail } : {});
        } catch (error) {
            isOver = true;
            this.#isStopped = error instanceof Interrupted;
            const message = redact(describeError(error));
            this.print(`    ${this.#isStopped ? "interrupted" : `failed: ${message}`}`);
            const last = redact(lines.slice(-mostLines).join("\n"));
            return done(this.#isStopped ? "interrupted" : "failed", {
                detail: message,
                ...(last && { lastLines: last }),
            });
        } finally {
            this.#isInStep = false;
        }
    }
}
