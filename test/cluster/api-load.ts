import { setTimeout as sleep } from "node:timers/promises";
import { images } from "../../versions/images";
import type { Target } from "./prober";
import { Http2Connection, statusOf } from "./prober/http2-connection";

/** Milliseconds between two requests of a kind, and between two watches. */
const pace = 100;
/** A watch is closed after this time, in milliseconds. */
const watched = 1_000;

/**
 * Clients that write, list, and open and close watches, without minding failures. A test needs them to show what depends
 * on requests: an idle server has no slow ones, and leaks no watches.
 */
export class ApiLoad {
    readonly #stop = new AbortController();
    readonly #done: Promise<unknown>;

    constructor({ host, port, servername, ca, identity, path }: Target) {
        const tls = { ca, ...(servername && { servername }), ...("cert" in identity && identity) };
        const headers: Record<string, string> =
            "token" in identity ? { authorization: `Bearer ${identity.token}` } : {};
        const each = (act: (connection: Http2Connection, round: number) => Promise<unknown>) => async () => {
            const connection = new Http2Connection(`https://${host}:${port}`, tls, headers);
            for (let round = 0; !this.#stop.signal.aborted; round++) {
                await act(connection, round).catch(() => {});
                await sleep(pace);
            }
            connection.close();
        };
        const clients = [
            each((connection, round) => write(connection, path, `load-${round % 20}`)),
            each((connection) => ended(connection.request(`${path}?limit=50`))),
            each(async (connection) => {
                const stream = connection.request(`${path}?watch=true`);
                stream.on("error", () => {}).resume();
                setTimeout(() => stream.close(), watched);
            }),
        ];
        this.#done = Promise.all(clients.map((client) => client()));
    }

    async stop(): Promise<void> {
        this.#stop.abort();
        await this.#done;
    }
}

/** Without a limit, a client would wait for a server that has been replaced. */
function ended(stream: ReturnType<Http2Connection["request"]>): Promise<number> {
    stream.setTimeout(5_000, () => stream.close());
    return statusOf(stream);
}

/** Creates or changes a ConfigMap. */
function write(connection: Http2Connection, path: string, name: string): Promise<number> {
    const query = "fieldManager=load&force=true";
    const stream = connection.request(`${path}/${name}?${query}`, {
        ":method": "PATCH",
        "content-type": "application/apply-patch+yaml",
    });
    const data = { at: new Date().toISOString() };
    stream.end(JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data }));
    return ended(stream);
}

/** A Deployment that takes as much of a processor as it gets, for ten of every twenty seconds. */
export function noisyNeighbour(): object {
    const busy = "while true; do timeout 10 sh -c 'while true; do :; done'; sleep 10; done";
    const container = { name: "noise", image: images.busybox, command: ["sh", "-c", busy] };
    return {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name: "noise" },
        spec: {
            selector: { matchLabels: { app: "noise" } },
            template: {
                metadata: { labels: { app: "noise" } },
                spec: { terminationGracePeriodSeconds: 1, containers: [container] },
            },
        },
    };
}
