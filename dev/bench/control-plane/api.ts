import { request } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { parse } from "yaml";

/** An API and the credentials for it. */
export interface Access {
    readonly server: string;
    readonly ca: Buffer;
    readonly cert: Buffer;
    readonly key: Buffer;
}

/** How long to wait. */
export interface Limits {
    /** Milliseconds since 1970. */
    readonly deadline: number;
    readonly signal: AbortSignal;
}

const PERIOD_MS = 100;
const TIMEOUT_MS = 2_000;

/** The API and credentials in a kubeconfig with embedded certificates. @param server - overrides the kubeconfig's */
export function accessOf(kubeconfig: string, server?: string): Access {
    const { clusters, users } = parse(kubeconfig);
    const { cluster } = clusters[0];
    const { user } = users[0];
    const decode = (text: string) => Buffer.from(text, "base64");
    return {
        server: server ?? cluster.server,
        ca: decode(cluster["certificate-authority-data"]),
        cert: decode(user["client-certificate-data"]),
        key: decode(user["client-key-data"]),
    };
}

/** Polls until the body of a 200 response passes the check; resolves to that time in milliseconds since 1970. */
export async function firstAnswer(
    access: Access,
    path: string,
    { deadline, signal }: Limits,
    isGood: (body: string) => boolean = () => true,
): Promise<number> {
    for (let last = "nothing"; ; await sleep(PERIOD_MS, undefined, { signal })) {
        try {
            const { status, body } = await get(access, path);
            if (status === 200 && isGood(body)) {
                return Date.now();
            }
            last = `status ${status}`;
        } catch (error) {
            last = (error as Error).message;
        }
        if (Date.now() > deadline) {
            throw new Error(`${access.server}${path} did not respond as expected in time: ${last}`);
        }
    }
}

/**
 * Polls during some work, and afterwards until the first response.
 *
 * @returns the time of that response, and the longest gap between responses, in milliseconds
 */
export async function answersDuring(
    access: Access,
    path: string,
    limits: () => Limits,
    work: () => Promise<void>,
): Promise<{ first: number; longestGap: number }> {
    const stop = new AbortController();
    const answers: number[] = [];
    const ask = async () => {
        while (!stop.signal.aborted) {
            answers.push(await firstAnswer(access, path, { ...limits(), signal: stop.signal }));
            await sleep(PERIOD_MS, undefined, { signal: stop.signal });
        }
    };
    // Whatever blocks these requests also delays the first response.
    const asked = ask().catch(() => undefined);
    try {
        await work();
        const first = await firstAnswer(access, path, limits());
        return { first, longestGap: longestGap([...answers, first]) };
    } finally {
        stop.abort();
        await asked;
    }
}

/** The longest gap between consecutive times, in any order. */
export function longestGap(moments: readonly number[]): number {
    const sorted = [...moments].sort((one, other) => one - other);
    return Math.max(0, ...sorted.slice(1).map((moment, index) => moment - sorted[index]!));
}

/** Every request uses a new connection, like a client's first one. */
function get({ server, ca, cert, key }: Access, path: string): Promise<{ status?: number; body: string }> {
    return new Promise((resolve, reject) => {
        const options = { ca, cert, key, agent: false, timeout: TIMEOUT_MS } as const;
        const sent = request(`${server}${path}`, options, (response) => {
            let body = "";
            response.setEncoding("utf8").on("data", (part) => {
                body += part;
            });
            response.on("end", () => resolve({ status: response.statusCode, body }));
            response.on("error", reject);
        });
        sent.on("timeout", () => sent.destroy(new Error(`no answer within ${TIMEOUT_MS} ms`)));
        sent.on("error", reject);
        sent.end();
    });
}

/** Whether a pod list contains a ready pod with this name or prefix. */
export function hasReadyPod(body: string, prefix: string): boolean {
    type Pod = { metadata: { name: string }; status: { conditions?: { type: string; status: string }[] } };
    return (JSON.parse(body).items as Pod[]).some(
        ({ metadata, status }) =>
            metadata.name.startsWith(prefix) &&
            (status.conditions ?? []).some(({ type, status: is }) => type === "Ready" && is === "True"),
    );
}
