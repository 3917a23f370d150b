import http from "node:http";
import https from "node:https";

export interface Asked {
    /** @default "GET" */
    readonly method?: string;
    readonly headers?: http.OutgoingHttpHeaders;
    readonly body?: string;
}

export interface Answer {
    readonly status: number;
    readonly text: string;
}

/** One request and its whole answer, whatever its status. Not by `fetch`, for the reason in `http-get.ts`. */
export function ask(url: string, { body, ...options }: Asked = {}, timeoutMilliseconds = 10_000): Promise<Answer> {
    const client = url.startsWith("https:") ? https : http;
    const signal = AbortSignal.timeout(timeoutMilliseconds);
    return new Promise((resolve, reject) => {
        const sent = client.request(url, { ...options, agent: false, signal }, (answer) => {
            const chunks: Buffer[] = [];
            answer.on("data", (chunk) => chunks.push(chunk));
            answer.on("error", reject);
            answer.on("end", () =>
                resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString("utf8") }),
            );
        });
        sent.on("error", reject);
        sent.end(body);
    });
}
