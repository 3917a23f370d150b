import https from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { Http2Connection, statusOf, wasRefused } from "./http2-connection";
import type { Counter } from "./tally";

export interface Target {
    readonly host: string;
    readonly port: number;
    /** Name on its certificate. @default - that of the host */
    readonly servername?: string;
    readonly ca: string;
    /** A client certificate, or a bearer token. */
    readonly identity: { readonly cert: string; readonly key: string } | { readonly token: string };
    readonly path: string;
}

/** A request with a later response counts as failed. Unit: milliseconds. */
const timeout = 10_000;

const tls = ({ ca, servername, identity }: Target) => ({
    ca,
    ...(servername && { servername }),
    ...("cert" in identity && identity),
});
const headers = ({ identity }: Target): Record<string, string> =>
    "token" in identity ? { authorization: `Bearer ${identity.token}` } : {};

/** One request over a new connection: like a new client, or kubectl. */
export async function newConnections(
    target: Target,
    counter: Counter,
    interval: number,
    signal: AbortSignal,
): Promise<void> {
    while (!signal.aborted) {
        await http1(target, counter, false);
        await sleep(interval);
    }
}

/** HTTP/1.1 requests over a kept-alive connection, which no server can close without a race. */
export async function keepAlive(
    target: Target,
    counter: Counter,
    interval: number,
    signal: AbortSignal,
): Promise<void> {
    const agent = new https.Agent({ keepAlive: true, maxSockets: 1 });
    while (!signal.aborted) {
        await http1(target, counter, agent);
        await sleep(interval);
    }
    agent.destroy();
}

async function http1(target: Target, counter: Counter, agent: https.Agent | false): Promise<void> {
    const { host, port, path } = target;
    try {
        const status = await new Promise<number>((resolve, reject) => {
            const request = https.get(
                { host, port, path, agent, timeout, headers: headers(target), ...tls(target) },
                (response) => {
                    response.on("error", reject);
                    response.on("end", () => resolve(response.statusCode ?? 0));
                    response.resume();
                },
            );
            request.on("timeout", () => request.destroy(new Error(`no answer in ${timeout} ms`)));
            request.on("error", reject);
        });
        count(status, counter);
    } catch (error) {
        counter.failed((error as Error).message);
    }
}

function count(status: number, counter: Counter): void {
    if (status === 200) {
        counter.ok();
    } else {
        counter.failed(`HTTP ${status}`);
    }
}

/** Requests over one long-lived HTTP/2 connection, like those of client-go. */
export async function http2Requests(
    target: Target,
    counter: Counter,
    interval: number,
    signal: AbortSignal,
): Promise<void> {
    const connection = open(target);
    while (!signal.aborted) {
        const stream = connection.request(target.path);
        stream.setTimeout(timeout, () => stream.destroy(new Error(`no answer in ${timeout} ms`)));
        try {
            count(await statusOf(stream), counter);
        } catch (error) {
            if (!wasRefused(stream)) {
                counter.failed(`${(error as Error).message} (${stream.rstCode})`);
            }
        }
        await sleep(interval);
    }
    connection.close();
}

/** A watch that is reopened whenever it ends; it fails if it cannot be opened or is cut off. */
export async function watch(target: Target, counter: Counter, signal: AbortSignal): Promise<void> {
    const connection = open(target);
    while (!signal.aborted) {
        const stream = connection.request(`${target.path}?watch=true&timeoutSeconds=20`);
        const abort = () => stream.destroy();
        signal.addEventListener("abort", abort);
        try {
            count(await statusOf(stream), counter);
        } catch (error) {
            // At the end one may still be unanswered.
            if (!wasRefused(stream) && !signal.aborted) {
                counter.failed(`${(error as Error).message} (${stream.rstCode})`);
            }
        }
        signal.removeEventListener("abort", abort);
        await sleep(5);
    }
    connection.close();
}

function open(target: Target): Http2Connection {
    return new Http2Connection(`https://${target.host}:${target.port}`, tls(target), headers(target));
}
