import { setTimeout as sleep } from "node:timers/promises";
import { ask } from "../http";

/** DigitalOcean refused a request. */
export class DigitalOceanError extends Error {
    override readonly name = "DigitalOceanError";

    constructor(
        /** Of HTTP. */
        readonly status: number,
        message: string,
    ) {
        super(message.slice(0, 300));
    }
}

interface Page {
    readonly links?: { readonly pages?: { readonly next?: string } };
    readonly [list: string]: unknown;
}

const mostSeconds = 60;

/** DigitalOcean's API, by a token. */
export class DigitalOceanApi {
    /**
     * @param attempts - how often a request is made that DigitalOcean throttles: 250 per minute and 5,000 per hour are
     * allowed per token. A read is also repeated after an error of the server
     */
    constructor(
        private readonly url: string,
        private readonly token: string,
        private readonly attempts = 5,
    ) {}

    /** With the variables of Pulumi's provider. @returns undefined if they have no token */
    static ofVariables(variables: NodeJS.ProcessEnv): DigitalOceanApi | undefined {
        const token = variables.DIGITALOCEAN_TOKEN || variables.DIGITALOCEAN_ACCESS_TOKEN;
        const url = (variables.DIGITALOCEAN_API_URL || "https://api.digitalocean.com").replace(/\/+$/, "");
        return token ? new DigitalOceanApi(url, token) : undefined;
    }

    /** @throws {@link DigitalOceanError} */
    async call<T>(method: string, path: string, body?: object): Promise<T> {
        const headers = { authorization: `Bearer ${this.token}`, "content-type": "application/json" };
        const request = { method, headers, ...(body && { body: JSON.stringify(body) }) };
        for (let attempt = 1; ; attempt++) {
            const { status, text, headers: answered } = await ask(`${this.url}${path}`, request, 30_000);
            if (status < 300) return JSON.parse(text || "null");
            // Throttled requests did nothing. After another error, a change may have happened.
            const mayPass = status === 429 || (status >= 500 && method === "GET");
            if (!mayPass || attempt >= this.attempts) {
                throw new DigitalOceanError(status, `DigitalOcean refuses ${method} ${path}: ${status} ${text}`);
            }
            const seconds = Number(answered["retry-after"] ?? 2 ** attempt);
            await sleep(Math.min(mostSeconds, Number.isFinite(seconds) ? seconds : 2 ** attempt) * 1000);
        }
    }

    /**
     * All items of a list. A page has up to 200.
     *
     * @param path - such as `/v2/droplets?tag_name=a`
     */
    async list<T>(path: string, name: string): Promise<T[]> {
        const found: T[] = [];
        for (let page = 1; ; page++) {
            const answer = await this.call<Page>(
                "GET",
                `${path}${path.includes("?") ? "&" : "?"}per_page=200&page=${page}`,
            );
            const items = answer?.[name];
            // A response without the list is not an empty list.
            if (!Array.isArray(items)) throw new Error(`GET ${path}: DigitalOcean's response has no ${name}`);
            found.push(...items);
            if (!answer.links?.pages?.next) return found;
        }
    }
}
