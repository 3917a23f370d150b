import { setTimeout as sleep } from "node:timers/promises";
import { ask } from "../../../clients/http";
import { ownTags } from "../../../components/digitalocean/tags";
import type { Account } from "./account";

interface Item {
    readonly id: string | number;
    readonly name: string;
    readonly tags?: readonly string[] | null;
    readonly vpc_uuid?: string;
}

interface Page {
    readonly links?: { readonly pages?: { readonly next?: string } };
    readonly [list: string]: unknown;
}

const attempts = 5;

/** The account of the environment's token. */
export async function digitalOceanAccount(cluster: string, env: NodeJS.ProcessEnv): Promise<Account> {
    const token = env.DIGITALOCEAN_TOKEN || env.DIGITALOCEAN_ACCESS_TOKEN;
    if (!token) throw new Error("no DigitalOcean token was found: set DIGITALOCEAN_TOKEN");
    const url = (env.DIGITALOCEAN_API_URL || "https://api.digitalocean.com").replace(/\/+$/, "");
    const read = async <T>(path: string): Promise<T> => {
        for (let attempt = 1; ; attempt++) {
            const { status, text } = await ask(
                `${url}${path}`,
                { headers: { authorization: `Bearer ${token}` } },
                30_000,
            );
            if (status === 200) return JSON.parse(text);
            const mayPass = status === 429 || status >= 500;
            if (!mayPass || attempt === attempts) throw new Error(`GET ${path}: ${status} ${text.slice(0, 300)}`);
            await sleep(250 * 2 ** attempt);
        }
    };
    const pages = async (path: string, list: string): Promise<Item[]> => {
        const found: Item[] = [];
        for (let page = 1; ; page++) {
            const answer: Page = await read(`${path}per_page=200&page=${page}`);
            const items = answer[list];
            // An answer without the list is not an empty list.
            if (!Array.isArray(items)) throw new Error(`GET ${path}: the response has no ${list}`);
            found.push(...items);
            if (!answer.links?.pages?.next) return found;
        }
    };
    const { account } = await read<{ account?: { uuid?: string; team?: { uuid?: string } } }>("/v2/account");
    const id = account?.team?.uuid ?? account?.uuid;
    if (!id) throw new Error("DigitalOcean must return the account of DIGITALOCEAN_TOKEN (got none)");
    return { id, existing: () => existingOf(cluster, pages) };
}

async function existingOf(cluster: string, pages: (path: string, list: string) => Promise<Item[]>): Promise<string[]> {
    const tag = encodeURIComponent(ownTags(cluster).nodes);
    const vpcs = (await pages("/v2/vpcs?", "vpcs")).filter(({ name }) => name === cluster);
    const inVpc = ({ vpc_uuid: vpc }: Item) => vpcs.some(({ id }) => id === vpc);
    const isTagged = ({ tags }: Item) => tags?.includes(cluster) ?? false;
    // The stack's own load balancers and etcd volumes have no tag but a name of this form.
    const isNamed = ({ name }: Item) => [`${cluster}-api`, `${cluster}-ingress`].includes(name);
    const isEtcd = ({ name }: Item) => name.startsWith(`${cluster}-controller-`) && name.endsWith("-etcd");
    const balancers = await pages("/v2/load_balancers?", "load_balancers");
    const volumes = await pages("/v2/volumes?", "volumes");
    const snapshots = await pages("/v2/snapshots?", "snapshots");
    const named = (words: string, all: readonly Item[]) => all.map(({ name, id }) => `${words} ${name} (${id})`);
    return [
        ...named("droplet", await pages(`/v2/droplets?tag_name=${tag}&`, "droplets")),
        ...named(
            "load balancer",
            balancers.filter((each) => isNamed(each) || inVpc(each)),
        ),
        ...named(
            "volume",
            volumes.filter((each) => isTagged(each) || isEtcd(each)),
        ),
        ...named("snapshot", snapshots.filter(isTagged)),
        ...named("VPC", vpcs),
    ];
}
