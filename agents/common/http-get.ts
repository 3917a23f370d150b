import http from "node:http";
import https from "node:https";

/** Official files are one or two away. */
const mostRedirects = 5;

/**
 * Asks for a file, along redirects, and resolves to its body. Not by `fetch`: that ends the process when a server closes
 * the connection before all was read (https://github.com/nodejs/undici/issues/5360, in Node 22.23).
 * @throws Error on any status but 200
 */
export async function get(url: string, signal: AbortSignal, redirects = mostRedirects): Promise<http.IncomingMessage> {
    const answer = await ask(url, signal);
    const { statusCode = 0, headers } = answer;
    if (statusCode === 200) {
        return answer;
    }
    answer.destroy();
    if (statusCode < 300 || statusCode > 399 || headers.location === undefined) {
        throw new Error(`answers ${statusCode}`);
    }
    if (redirects === 0) {
        throw new Error(`redirects more than ${mostRedirects} times`);
    }
    return get(new URL(headers.location, url).href, signal, redirects - 1);
}

function ask(url: string, signal: AbortSignal): Promise<http.IncomingMessage> {
    const client = url.startsWith("https:") ? https : http;
    return new Promise((resolve, reject) => {
        client.get(url, { signal }, resolve).on("error", reject);
    });
}
