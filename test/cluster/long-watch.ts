import { Agent, request } from "node:https";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import type { Target } from "./prober";

/** What a permanent watch client saw. */
export interface Watched {
    /** Names of added objects, in order of the events. */
    readonly added: readonly string[];
    /** How often the watch was opened. */
    readonly opened: number;
    /** Errors on opening it, and errors for an outdated version. */
    readonly failures: readonly string[];
}

interface Described {
    readonly type: string;
    readonly object: { readonly metadata: { readonly name: string; readonly resourceVersion: string } };
}

/** Watches a collection like an informer: a watch that ends is resumed from the last event. */
export class LongWatch {
    readonly #added: string[] = [];
    readonly #failures: string[] = [];
    #opened = 0;
    #from?: string;
    readonly #stop = new AbortController();
    readonly #done: Promise<void>;

    constructor(private readonly target: Target) {
        this.#done = this.#run();
    }

    /** Whether it received the addition. */
    has(name: string): boolean {
        return this.#added.includes(name);
    }

    async stop(): Promise<Watched> {
        this.#stop.abort();
        await this.#done;
        return { added: this.#added, opened: this.#opened, failures: this.#failures };
    }

    async #run(): Promise<void> {
        const { signal } = this.#stop;
        while (!signal.aborted) {
            try {
                this.#from ??= await this.#newest();
                const query = `watch=true&allowWatchBookmarks=true&timeoutSeconds=3600&resourceVersion=${this.#from}`;
                await this.#ask(query, (line) => this.#take(JSON.parse(line)));
            } catch (error) {
                if (!signal.aborted) this.#failures.push(`${new Date().toISOString()}: ${(error as Error).message}`);
            }
            await sleep(50);
        }
    }

    #take({ type, object }: Described): void {
        if (type === "ERROR") throw new Error(JSON.stringify(object));
        this.#from = object.metadata.resourceVersion;
        if (type === "ADDED") this.#added.push(object.metadata.name);
    }

    async #newest(): Promise<string> {
        let list = "";
        await this.#ask("limit=1", (line) => (list += line));
        return JSON.parse(list).metadata.resourceVersion;
    }

    /** Reads a response line by line, until it ends. */
    #ask(query: string, take: (line: string) => void): Promise<void> {
        const { host, port, servername, ca, path, identity } = this.target;
        const tls = { ca, ...(servername && { servername }), ...("cert" in identity && identity) };
        const headers = "token" in identity ? { authorization: `Bearer ${identity.token}` } : {};
        const agent = new Agent({ keepAlive: false });
        const options = { host, port, path: `${path}?${query}`, agent, headers, ...tls, signal: this.#stop.signal };
        return new Promise((resolve, reject) => {
            const sent = request(options, (answer) => {
                if (answer.statusCode !== 200) {
                    answer.resume();
                    reject(new Error(`HTTP ${answer.statusCode}`));
                    return;
                }
                if (query.startsWith("watch")) this.#opened++;
                const lines = createInterface({ input: answer });
                lines.on("error", reject);
                lines.on("line", (line) => {
                    try {
                        take(line);
                    } catch (error) {
                        sent.destroy();
                        reject(error as Error);
                    }
                });
                lines.on("close", resolve);
            });
            sent.on("error", reject);
            sent.end();
        });
    }
}
