import { ask } from "../../../agents/common/http-ask";

/** A forge's API, and who asks it. */
export interface Access {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
}

/** A refusal of a forge, with its status. */
export class ForgeError extends Error {
    override readonly name = "ForgeError";

    constructor(
        message: string,
        readonly status: number,
    ) {
        super(message);
    }
}

/** Asks for JSON. What the forge says of a refusal is told, and nothing of who asked. */
export async function askForge<T>({ url, headers }: Access, method: string, path: string, body?: object): Promise<T> {
    const sent = body && { body: JSON.stringify(body) };
    const type = body && { "content-type": "application/json" };
    const all = { "user-agent": "tradewind", accept: "application/json", ...headers, ...type };
    const { status, text } = await ask(`${url}${path}`, { method, headers: all, ...sent }, 30_000);
    if (status < 200 || status > 299) throw new ForgeError(`${method} ${path}: ${status} ${said(text)}`, status);
    return JSON.parse(text) as T;
}

/** All pages of a list. A forge that knows no pages gives the same one again. */
export async function askPages<T extends { readonly id: number }>(access: Access, path: string): Promise<T[]> {
    const all = new Map<number, T>();
    for (let page = 1; ; page++) {
        const some = await askForge<T[]>(access, "GET", `${path}?per_page=100&page=${page}`);
        const isNew = some.some(({ id }) => !all.has(id));
        for (const each of some) all.set(each.id, each);
        if (!isNew) return [...all.values()];
    }
}

function said(text: string): string {
    try {
        const { message, error } = JSON.parse(text);
        return JSON.stringify(message ?? error).slice(0, 300);
    } catch {
        return text.trim().slice(0, 300);
    }
}
