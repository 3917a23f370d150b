import { request } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { parse } from "yaml";

/** Who asks which API. */
export interface Access {
    readonly server: string;
    readonly ca: Buffer;
    readonly cert: Buffer;
    readonly key: Buffer;
}

/** How long something may be waited for. */
export interface Limits {
    /** Milliseconds since 1970. */
    readonly deadline: number;
    readonly signal: AbortSignal;
}

const PERIOD_MS = 100;
const TIMEOUT_MS = 2_000;

/** The access that a kubeconfig with embedded certificates gives. @param server - instead of the kubeconfig's */
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

/** Asks again and again until the check is satisfied by a 200's body; resolves to when that was, in milliseconds since 1970. */
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
            throw new Error(`${access.server}${path} did not answer as it should in time: ${last}`);
        }
    }
}

/**
 * Asks again and again while the work goes on, and then until the first answer.
 *
 * @returns when that was, and the longest time without an answer, each in milliseconds
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
    // What keeps it from asking keeps the first answer from coming, too.
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

/** The longest time between two moments that follow each other, in any order given. */
export function longestGap(moments: readonly number[]): number {
    const sorted = [...moments].sort((one, other) => one - other);
    return Math.max(0, ...sorted.slice(1).map((moment, index) => moment - sorted[index]));
}

/** Each request on a connection of its own, as a client's first one is. */
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

/** True if a pod list has a Ready pod of that name or prefix. */
export function hasReadyPod(body: string, prefix: string): boolean {
    type Pod = { metadata: { name: string }; status: { conditions?: { type: string; status: string }[] } };
    return (JSON.parse(body).items as Pod[]).some(
        ({ metadata, status }) =>
            metadata.name.startsWith(prefix) &&
            (status.conditions ?? []).some(({ type, status: is }) => type === "Ready" && is === "True"),
    );
}
