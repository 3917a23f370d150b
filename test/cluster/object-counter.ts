import { randomBytes } from "node:crypto";
import { Agent, request } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { parse } from "yaml";

const requestMilliseconds = 5_000;
const collection = "/api/v1/namespaces/default/configmaps";

/** What a counter saw. */
export interface Count {
    /** Names of the objects whose creation the API acknowledged. */
    readonly acknowledged: readonly string[];
    /** Failures, with the seconds since it started. */
    readonly failures: readonly string[];
    /** The longest time in milliseconds between two acknowledgements. */
    readonly longestGap: number;
}

/** Creates small objects one after another, each over a new connection and without retries, until it is stopped. */
export class ObjectCounter {
    readonly #acknowledged: string[] = [];
    readonly #failures: string[] = [];
    readonly #identity: { server: string; servername?: string; ca: string; cert: string; key: string };
    readonly #label = `counter-${randomBytes(3).toString("hex")}`;
    #longestGap = 0;
    #isRunning = true;
    readonly #done: Promise<void>;

    /** @param everyMilliseconds - between two writes */
    constructor(
        kubeconfig: string,
        readonly everyMilliseconds = 200,
    ) {
        const { clusters, users } = parse(kubeconfig);
        const pem = (base64: string) => Buffer.from(base64, "base64").toString();
        const { server, "tls-server-name": servername } = clusters[0].cluster;
        this.#identity = {
            server,
            ...(servername && { servername }),
            ca: pem(clusters[0].cluster["certificate-authority-data"]),
            cert: pem(users[0].user["client-certificate-data"]),
            key: pem(users[0].user["client-key-data"]),
        };
        this.#done = this.#run();
    }

    async stop(): Promise<Count> {
        this.#isRunning = false;
        await this.#done;
        return { acknowledged: this.#acknowledged, failures: this.#failures, longestGap: Math.round(this.#longestGap) };
    }

    async #run(): Promise<void> {
        const start = performance.now();
        let last = start;
        for (let index = 0; this.#isRunning; index++) {
            const name = `${this.#label}-${index}`;
            try {
                await this.#create(name);
                this.#acknowledged.push(name);
                this.#longestGap = Math.max(this.#longestGap, performance.now() - last);
                last = performance.now();
            } catch (error) {
                this.#failures.push(`${((performance.now() - start) / 1000).toFixed(1)}s: ${(error as Error).message}`);
            }
            await sleep(this.everyMilliseconds);
        }
    }

    #create(name: string): Promise<void> {
        const { server, ...identity } = this.#identity;
        const agent = new Agent({ ...identity, keepAlive: false });
        const options = {
            method: "POST",
            agent,
            headers: { "content-type": "application/json" },
            signal: AbortSignal.timeout(requestMilliseconds),
        };
        return new Promise((resolve, reject) => {
            // How far it got shows whether its load balancer, its listener or its apiserver delayed it.
            let reached = "not connected";
            const fail = (error: Error) => reject(new Error(`${error.message} (${reached})`));
            const sent = request(`${server}${collection}`, options, (answer) => {
                reached = "answered in part";
                answer.resume();
                answer.on("error", fail);
                answer.on("end", () =>
                    answer.statusCode === 201 ? resolve() : reject(new Error(`answers ${answer.statusCode}`)),
                );
            });
            sent.on("error", fail);
            sent.on("socket", (socket) => {
                socket.once("connect", () => (reached = "connected, without TLS"));
                socket.once("secureConnect", () => (reached = "sent, without an answer"));
            });
            sent.end(JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } }));
        });
    }
}
