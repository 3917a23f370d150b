import { get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { Counter, type Tally } from "./prober/tally";

/**
 * Sends requests to a web server, each over a new connection, like its users; a second without a response is a failure.
 */
export class WorkloadAsker {
    readonly #counter = new Counter();
    #isRunning = true;
    readonly #done: Promise<void>;

    /** @param url - such as that of a NodePort; the machine requests it every 50 ms */
    constructor(private readonly url: string) {
        this.#done = this.#run();
    }

    async stop(): Promise<Tally> {
        this.#isRunning = false;
        await this.#done;
        return this.#counter.tally;
    }

    async #run(): Promise<void> {
        while (this.#isRunning) {
            try {
                await this.#ask();
                this.#counter.ok();
            } catch (error) {
                this.#counter.failed((error as Error).message);
            }
            await sleep(50);
        }
    }

    #ask(): Promise<void> {
        return new Promise((resolve, reject) => {
            const sent = get(this.url, { agent: false, signal: AbortSignal.timeout(1_000) }, (answer) => {
                answer.resume();
                answer.on("error", reject);
                answer.on("end", () =>
                    answer.statusCode === 200 ? resolve() : reject(new Error(`HTTP ${answer.statusCode}`)),
                );
            });
            sent.on("error", reject);
        });
    }
}
