import http from "node:http";
import type { AddressInfo } from "node:net";

interface Kept {
    readonly id: number;
    readonly by: number;
    body: string;
}

export interface ForgeOnPaper {
    readonly url: string;
    readonly comments: Kept[];
    readonly requests: string[];
    close(): void;
}

export interface Kind {
    /** Path of the comments, below its URL. */
    readonly path: string;
    /** Path of a comment. */
    readonly one: (id: number) => string;
    readonly header: string;
    /** Account numbers by token. A job's own token cannot look up its account. */
    readonly accounts: Readonly<Record<string, number>>;
    readonly reported: (comment: Kept) => object;
    /** Account of an app's token according to GraphQL. @default it has no GraphQL */
    readonly viewer?: string;
    /** Comments per page. @default no pagination */
    readonly pageSize?: number;
}

/** The comments API of a forge, as documented. */
export async function forgeOnPaper(kind: Kind): Promise<ForgeOnPaper> {
    const comments: Kept[] = [];
    const requests: string[] = [];
    const server = http.createServer(async (request, answer) => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk);
        const { body, query } = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : { body: "" };
        const { pathname, searchParams } = new URL(request.url!, "http://forge");
        requests.push(`${request.method} ${pathname}`);
        const say = (status: number, said: object) => {
            answer.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(said));
        };
        const who = kind.accounts[String(request.headers[kind.header])];
        if (who === undefined) return say(401, { message: "Bad credentials" });
        if (pathname === "/user") return who === 0 ? say(403, { message: "Not by integrations" }) : say(200, user(who));
        if (pathname === "/graphql" && kind.viewer !== undefined && /\bviewer *\{ *login\b/.test(query)) {
            return say(200, { data: { viewer: { login: kind.viewer } } });
        }
        if (pathname === kind.path && request.method === "GET") {
            const { pageSize = Number.POSITIVE_INFINITY } = kind;
            const from = pageSize === Number.POSITIVE_INFINITY ? 0 : (Number(searchParams.get("page")) - 1) * pageSize;
            return say(200, comments.slice(from, from + pageSize).map(kind.reported));
        }
        if (pathname === kind.path && request.method === "POST") {
            const created = { id: comments.length + 1, by: who, body };
            comments.push(created);
            return say(201, kind.reported(created));
        }
        const found = comments.find(({ id }) => pathname === kind.one(id));
        if (!found || request.method === "GET") return say(404, { message: "Not Found" });
        found.body = body;
        return say(200, kind.reported(found));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return { url, comments, requests, close: () => server.close() };
}

const user = (id: number) => ({ id, login: `user-${id}` });
