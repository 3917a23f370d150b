import http from "node:http";
import https from "node:https";

/** Official downloads redirect once or twice. */
const mostRedirects = 5;

/**
 * Downloads a file, following redirects, and resolves to its body. Does not use `fetch`, which crashes the process if a
 * server closes the connection early (https://github.com/nodejs/undici/issues/5360, in Node 22.23).
 * @throws Error for any status other than 200
 */
export async function get(
    url: string,
    signal: AbortSignal,
    headers: http.OutgoingHttpHeaders = {},
    redirects = mostRedirects,
): Promise<http.IncomingMessage> {
    const answer = await sendRequest(url, signal, headers);
    const {
        statusCode = 0,
        headers: { location },
    } = answer;
    if (statusCode === 200) {
        return answer;
    }
    answer.destroy();
    if (statusCode < 300 || statusCode > 399 || location === undefined) {
        throw new Error(`answers ${statusCode}`);
    }
    if (redirects === 0) {
        throw new Error(`redirects more than ${mostRedirects} times`);
    }
    const next = new URL(location, url);
    // A token is for the host that asked for it only.
    return get(next.href, signal, next.host === new URL(url).host ? headers : {}, redirects - 1);
}

function sendRequest(
    url: string,
    signal: AbortSignal,
    headers: http.OutgoingHttpHeaders,
): Promise<http.IncomingMessage> {
    const client = url.startsWith("https:") ? https : http;
    return new Promise((resolve, reject) => {
        client.get(url, { signal, headers }, resolve).on("error", reject);
    });
}

/** A connection of its own, by the proxy of the environment: Node.js does that for its global agent only. */
export function ownAgent(url: string): http.Agent | false {
    if (process.env.NODE_USE_ENV_PROXY !== "1") return false;
    const { Agent } = url.startsWith("https:") ? https : http;
    return new Agent({ proxyEnv: process.env } as http.AgentOptions);
}

export interface Asked {
    /** @default "GET" */
    readonly method?: string;
    readonly headers?: http.OutgoingHttpHeaders;
    readonly body?: string;
}

interface Answer {
    readonly status: number;
    readonly text: string;
    readonly headers: http.IncomingHttpHeaders;
}

/** A request and its full response, with any status. Does not use `fetch`, for the reason given above. */
export function ask(url: string, { body, ...options }: Asked = {}, timeoutMilliseconds = 10_000): Promise<Answer> {
    const client = url.startsWith("https:") ? https : http;
    const signal = AbortSignal.timeout(timeoutMilliseconds);
    return new Promise((resolve, reject) => {
        const sent = client.request(url, { ...options, agent: ownAgent(url), signal }, (answer) => {
            const chunks: Buffer[] = [];
            answer.on("data", (chunk) => chunks.push(chunk));
            answer.on("error", reject);
            answer.on("end", () =>
                resolve({
                    status: answer.statusCode ?? 0,
                    text: Buffer.concat(chunks).toString("utf8"),
                    headers: answer.headers,
                }),
            );
        });
        sent.on("error", reject);
        sent.end(body);
    });
}
