import type { IncomingHttpHeaders } from "node:http";
import { request } from "node:https";

/** As much of a browser as a login needs: cookies, forms and redirects. */
export class Browser {
    readonly #cookies = new Map<string, string>();

    /** @param ca - PEM of a certificate to trust */
    constructor(private readonly ca: string) {}

    /**
     * Opens a page, or sends it a form, and follows redirects until the last page or one that starts with `end`.
     *
     * @returns its URL
     */
    async open(url: string, end: string, form?: Record<string, string>): Promise<string> {
        let answer = await this.send(url, form);
        let at = url;
        while (answer.headers.location) {
            at = new URL(answer.headers.location, at).href;
            if (at.startsWith(end)) return at;
            answer = await this.send(at);
        }
        if (answer.status >= 400) throw new Error(`${at} answered ${answer.status}: ${answer.body}`);
        return at;
    }

    /** One request: a POST with a form, otherwise a GET. */
    send(url: string, form?: Record<string, string>): Promise<Answer> {
        const cookie = [...this.#cookies].map((each) => each.join("=")).join("; ");
        const headers = {
            ...(cookie && { cookie }),
            ...(form && { "content-type": "application/x-www-form-urlencoded" }),
        };
        return new Promise((resolve, reject) => {
            const sent = request(url, { method: form ? "POST" : "GET", ca: this.ca, headers }, (response) => {
                for (const each of response.headers["set-cookie"] ?? []) {
                    const [, name, value] = /^([^=]+)=([^;]*)/.exec(each)!;
                    this.#cookies.set(name!, value!);
                }
                const chunks: Buffer[] = [];
                response.on("data", (chunk) => chunks.push(chunk));
                response.on("end", () => {
                    const body = Buffer.concat(chunks).toString();
                    resolve({ status: response.statusCode!, headers: response.headers, body });
                });
            });
            sent.on("error", reject);
            sent.end(form && new URLSearchParams(form).toString());
        });
    }
}

interface Answer {
    readonly status: number;
    readonly headers: IncomingHttpHeaders;
    readonly body: string;
}
