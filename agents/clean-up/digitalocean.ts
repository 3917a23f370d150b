import { setTimeout as sleep } from "node:timers/promises";
import { ask } from "../../clients/http";
import { type CloudAccess, type Leftover, NoAccess } from "./leftover";

/** Default name from the cloud controller, derived from a Service's uid. */
const defaultName = /^a[0-9a-f]{31}$/;

interface LoadBalancer {
    readonly id: string;
    readonly name: string;
    readonly vpc_uuid?: string;
    readonly droplet_ids?: readonly number[];
}

interface Volume {
    readonly id: string;
    readonly name: string;
    readonly size_gigabytes: number;
    readonly tags?: readonly string[] | null;
    readonly droplet_ids?: readonly number[];
    readonly region: { readonly slug: string };
}

/** Where a cluster's controllers created resources, and how to distinguish them from the stack's. */
export interface DigitalOceanPlace {
    readonly kind: "digitalocean";
    readonly vpcId: string;
    /** On the cluster's droplets and volumes. */
    readonly tag: string;
    /** Names of the stack's own load balancers. */
    readonly ownLoadBalancers: readonly string[];
    /** Prefix of the volume names of the driver. */
    readonly volumePrefix: string;
}

type Call = <T>(method: string, path: string, body?: object) => Promise<T>;

/** Access to DigitalOcean as the user who destroys the cluster, from the variables of Pulumi's provider. */
export async function digitalOceanAccess(
    place: DigitalOceanPlace,
    env: NodeJS.ProcessEnv = process.env,
): Promise<CloudAccess> {
    const token = env.DIGITALOCEAN_TOKEN || env.DIGITALOCEAN_ACCESS_TOKEN;
    if (!token) throw new NoAccess("no DigitalOcean token was found: set DIGITALOCEAN_TOKEN");
    const url = (env.DIGITALOCEAN_API_URL || "https://api.digitalocean.com").replace(/\/+$/, "");
    const call: Call = async (method, path, body) => {
        const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
        const asked = { method, headers, ...(body && { body: JSON.stringify(body) }) };
        const answer = await patiently(() => ask(`${url}${path}`, asked, 30_000));
        if (answer.status >= 300)
            throw new Refused(answer.status, `${method} ${path}: ${answer.status} ${answer.text}`);
        return answer.text ? JSON.parse(answer.text) : undefined;
    };
    await call("GET", `/v2/vpcs/${place.vpcId}`).catch((error: Error) => {
        // In another account nothing would be found, as if everything had been cleaned up.
        if (!(error instanceof Refused && error.status === 404)) throw error;
        throw new NoAccess(`DIGITALOCEAN_TOKEN is not for the account that has the VPC ${place.vpcId}`);
    });
    return { find: async () => [...(await loadBalancers(call, place)), ...(await volumes(call, place))] };
}

type Answer = Awaited<ReturnType<typeof ask>>;

/** Repeats a request that DigitalOcean throttles: 250 per minute and 5,000 per hour are allowed per token. */
async function patiently(make: () => Promise<Answer>): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
        const answer = await make();
        if (answer.status !== 429 || attempt === mostAttempts) return answer;
        const seconds = Number(answer.headers["retry-after"] ?? 2 ** attempt);
        await sleep(Math.min(mostSeconds, Number.isFinite(seconds) ? seconds : 2 ** attempt) * 1000);
    }
}

const mostAttempts = 5;
const mostSeconds = 60;

/**
 * In the cluster's VPC, without the stack's own: those with a name from the cloud controller, or that target only its
 * droplets.
 */
async function loadBalancers(call: Call, { vpcId, tag, ownLoadBalancers }: DigitalOceanPlace): Promise<Leftover[]> {
    const droplets = await pages<{ id: number }>(call, `/v2/droplets?tag_name=${encodeURIComponent(tag)}&`, "droplets");
    const ids = new Set(droplets.map(({ id }) => id));
    const isOwn = ({ name, droplet_ids: to = [] }: LoadBalancer) =>
        defaultName.test(name) || (to.length > 0 && to.every((id) => ids.has(id)));
    const all = await pages<LoadBalancer>(call, "/v2/load_balancers?", "load_balancers");
    return all
        .filter((each) => each.vpc_uuid === vpcId && !ownLoadBalancers.includes(each.name) && isOwn(each))
        .map(({ id, name }) => ({
            words: `load balancer ${name}`,
            remove: () => call("DELETE", `/v2/load_balancers/${id}`),
        }));
}

async function volumes(call: Call, { tag, volumePrefix }: DigitalOceanPlace): Promise<Leftover[]> {
    const all = await pages<Volume>(call, "/v2/volumes?", "volumes");
    return all
        .filter(({ name, tags }) => name.startsWith(volumePrefix) && tags?.includes(tag))
        .map(({ id, name, size_gigabytes: size, droplet_ids: holders = [], region }) => ({
            words: `volume ${name} of ${size} GiB`,
            isVolume: true,
            remove: async () => {
                for (const holder of holders) {
                    const action = { type: "detach", droplet_id: holder, region: region.slug };
                    await call("POST", `/v2/volumes/${id}/actions`, action);
                }
                await call("DELETE", `/v2/volumes/${id}`);
            },
        }));
}

/** A page has up to 200 items. */
async function pages<T>(call: Call, path: string, list: string): Promise<T[]> {
    const found: T[] = [];
    for (let page = 1; ; page++) {
        const answer = await call<Record<string, T[]> & { links?: { pages?: { next?: string } } }>(
            "GET",
            `${path}per_page=200&page=${page}`,
        );
        found.push(...(answer[list] ?? []));
        if (!answer.links?.pages?.next) return found;
    }
}

class Refused extends Error {
    constructor(
        readonly status: number,
        message: string,
    ) {
        super(message.slice(0, 300));
    }
}
