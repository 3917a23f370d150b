import type { TimedStage } from "./up-output";

/** Progress of a long process: one line at the start of each stage, with its number and the elapsed time. */
export class Stages {
    readonly timings: TimedStage[] = [];
    private readonly began: number;

    constructor(
        private readonly total: number,
        private readonly print: (line: string) => void = console.log,
        private readonly now: () => number = () => performance.now(),
        /** Start in milliseconds since 1970. */
        private readonly clock: () => number = Date.now,
    ) {
        this.began = now();
    }

    /** Runs a stage; its messages are indented below its line. */
    async run<T>(name: string, what: string, work: (say: (line: string) => void) => Promise<T>): Promise<T> {
        const position = this.timings.length + 1;
        const began = this.now();
        const at = new Date(this.clock()).toISOString();
        this.print(`==> [${position}/${this.total}] ${name}: ${what} (at ${this.since(this.began)})`);
        const result = await work((line) => this.print(`    ${line}`));
        this.timings.push({ stage: name, seconds: (this.now() - began) / 1000, at });
        return result;
    }

    get seconds(): number {
        return (this.now() - this.began) / 1000;
    }

    private since(moment: number): string {
        return `${((this.now() - moment) / 1000).toFixed(1)} s`;
    }
}
