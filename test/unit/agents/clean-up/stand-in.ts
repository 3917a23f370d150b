import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

type Item = { readonly id: string | number } & Readonly<Record<string, unknown>>;

/**
 * The parts of DigitalOcean's API that a clean-up uses, with the contents of `lists` in pages of two. Source: its API
 * reference, v2.
 */
export class StandInDigitalOcean {
    readonly lists: Record<string, Item[]> = {};
    readonly asked: string[] = [];
    /** How many of the next requests are throttled. */
    throttled = 0;
    /** How often a volume is still attached after its detachment was requested. */
    lateDetachments = 0;
    /** Identifies its owner. */
    account = "owner";
    #server?: Server;

    async start(): Promise<string> {
        this.#server = createServer(async (request, response) => {
            const { method = "", headers } = request;
            const url = new URL(request.url!, "http://stand-in");
            const [, , kind = "", id, actions] = url.pathname.split("/");
            const say = (status: number, body?: object) => response.writeHead(status).end(body && JSON.stringify(body));
            if (this.throttled > 0) {
                this.throttled--;
                return response.writeHead(429, { "retry-after": "0" }).end('{"id":"too_many_requests"}');
            }
            if (headers.authorization !== "Bearer token") return say(401, { id: "unauthorized" });
            if (kind === "account") return say(200, { account: { uuid: this.account } });
            const found = this.lists[kind]?.find((each) => String(each.id) === id);
            if (id === undefined) return say(200, this.#page(kind, url));
            if (!found) return say(404, { id: "not_found" });
            this.asked.push(`${method} ${kind}/${id}${actions ? `/${actions}` : ""}`);
            if (method === "GET") return say(200, found);
            if (method === "POST") {
                const { droplet_id } = (await json(request)) as { droplet_id: number };
                const left = (found.droplet_ids as number[]).filter((each) => each !== droplet_id);
                this.#set(kind, [...this.#others(kind, id), { ...found, droplet_ids: left }]);
                return say(201, { action: { status: "in-progress" } });
            }
            if (kind === "volumes" && this.lateDetachments > 0) {
                this.lateDetachments--;
                return say(409, { id: "conflict" });
            }
            if (kind === "volumes" && (found.droplet_ids as number[]).length > 0) return say(409, { id: "conflict" });
            this.#set(kind, this.#others(kind, id));
            return say(204);
        });
        await once(this.#server.listen(0, "127.0.0.1"), "listening");
        return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    }

    stop(): void {
        this.#server?.close();
    }

    #others(kind: string, id: string): Item[] {
        return this.lists[kind]!.filter((each) => String(each.id) !== id);
    }

    #set(kind: string, items: Item[]): void {
        this.lists[kind] = items;
    }

    #page(kind: string, { searchParams }: URL): object {
        const tag = searchParams.get("tag_name");
        const all = (this.lists[kind] ?? []).filter(({ tags }) => !tag || (tags as string[]).includes(tag));
        const page = Number(searchParams.get("page"));
        const next = all.length > page * 2 ? { next: "another" } : {};
        return { [kind]: all.slice(page * 2 - 2, page * 2), links: { pages: next } };
    }
}
