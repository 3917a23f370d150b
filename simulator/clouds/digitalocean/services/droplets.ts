import type { Answer, Api, Asked } from "../../services/service";
import { met } from "../../shared/behaviours";
import type { Account, Droplet } from "../account";
import { powerCycle } from "../droplet";

/** Seconds for which a power cycle locks a droplet. */
const cycleSeconds = 15;

/**
 * The droplets of DigitalOcean's API, as far as agents in a cluster use it. Any token is accepted, unless the account
 * has a list of tokens with their scopes.
 *
 * Source: DigitalOcean's API reference, "Droplets" and "Droplet Actions".
 */
export const droplets: Api<Account> = {
    hosts: /^api\.digitalocean\.com$/,
    answer(account, asked) {
        if (account.throttles()) {
            met("throttling");
            return {
                ...refused(429, "too_many_requests", "API rate limit exceeded."),
                headers: { "retry-after": "30" },
            };
        }
        const [, id] = /^\/v2\/droplets\/(\d+)\/actions$/.exec(asked.path) ?? [];
        if (asked.method === "POST" && id)
            return withScope(account, asked, "droplet:update", () => act(account, id, asked));
        if (asked.method === "GET" && asked.path === "/v2/droplets") {
            return withScope(account, asked, "droplet:read", () => listed(account, new URLSearchParams(asked.query)));
        }
        return refused(404, "not_found", "The resource you requested could not be found.");
    },
};

function withScope(account: Account, { headers }: Asked, scope: string, run: () => Answer): Answer {
    const [, token] = /^Bearer (\S+)$/.exec(headers.authorization ?? "") ?? [];
    const { apiTokens } = account.state;
    if (!token || (apiTokens && !apiTokens[token])) return refused(401, "unauthorized", "Unable to authenticate you");
    if (!apiTokens || apiTokens[token]?.includes(scope)) return run();
    met("missing scope");
    return refused(403, "forbidden", `You are missing the required permission ${scope}`);
}

function listed(account: Account, query: URLSearchParams): Answer {
    const all = Object.entries(account.resources.droplets).filter(([, { tags }]) => {
        const tag = query.get("tag_name");
        return tag === null || tags.includes(tag);
    });
    const [size, page] = [Number(query.get("per_page") ?? 20), Number(query.get("page") ?? 1)];
    const next = page * size < all.length ? { pages: { next: `https://api.digitalocean.com/?page=${page + 1}` } } : {};
    const some = all.slice((page - 1) * size, page * size).map(([id, each]) => shown(account, id, each));
    return said(200, { droplets: some, links: next, meta: { total: all.length } });
}

function shown(account: Account, id: string, { name, tags, isOff }: Droplet) {
    return { id: Number(id), name, tags, status: isOff ? "off" : "active", locked: account.secondsLocked(name) > 0 };
}

function act(account: Account, id: string, { body }: Asked): Answer {
    const droplet = account.resources.droplets[id];
    if (!droplet) return refused(404, "not_found", "The resource you were accessing could not be found.");
    const { type } = JSON.parse(String(body)) as { readonly type?: string };
    if (type !== "power_cycle") return refused(422, "unprocessable_entity", `the action ${type} is not simulated`);
    const { name } = droplet;
    if (account.secondsLocked(name) > 0 || account.isBusy(name)) {
        met("locked droplet");
        return refused(422, "unprocessable_entity", "Droplet already has a pending event.");
    }
    if (droplet.isOff) return refused(422, "unprocessable_entity", "Droplet is already powered off.");
    account.lock(name, cycleSeconds);
    powerCycle(account, droplet).catch((error) => console.error(`${name}: ${error}`));
    return said(201, { action: { id: 1, status: "in-progress", type, resource_id: Number(id) } });
}

function refused(status: number, id: string, message: string): Answer {
    return said(status, { id, message });
}

function said(status: number, body: object): Answer {
    return { status, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}
