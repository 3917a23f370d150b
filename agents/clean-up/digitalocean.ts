import { DigitalOceanApi, DigitalOceanError } from "../../clients/digitalocean/api";
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

/** Access to DigitalOcean as the user who destroys the cluster, from the variables of Pulumi's provider. */
export async function digitalOceanAccess(
    place: DigitalOceanPlace,
    env: NodeJS.ProcessEnv = process.env,
): Promise<CloudAccess> {
    const api = DigitalOceanApi.ofVariables(env);
    if (api === undefined) throw new NoAccess("no DigitalOcean token was found: set DIGITALOCEAN_TOKEN");
    await api.call("GET", `/v2/vpcs/${place.vpcId}`).catch((error: Error) => {
        // In another account nothing would be found, as if everything had been cleaned up.
        if (!(error instanceof DigitalOceanError && error.status === 404)) throw error;
        throw new NoAccess(`DIGITALOCEAN_TOKEN is not for the account that has the VPC ${place.vpcId}`);
    });
    return { find: async () => [...(await loadBalancers(api, place)), ...(await volumes(api, place))] };
}

/**
 * In the cluster's VPC, without the stack's own: those with a name from the cloud controller, or that target only its
 * droplets.
 */
async function loadBalancers(
    api: DigitalOceanApi,
    { vpcId, tag, ownLoadBalancers }: DigitalOceanPlace,
): Promise<Leftover[]> {
    const droplets = await api.list<{ id: number }>(`/v2/droplets?tag_name=${encodeURIComponent(tag)}`, "droplets");
    const ids = new Set(droplets.map(({ id }) => id));
    const isOwn = ({ name, droplet_ids: to = [] }: LoadBalancer) =>
        defaultName.test(name) || (to.length > 0 && to.every((id) => ids.has(id)));
    const all = await api.list<LoadBalancer>("/v2/load_balancers", "load_balancers");
    return all
        .filter((each) => each.vpc_uuid === vpcId && !ownLoadBalancers.includes(each.name) && isOwn(each))
        .map(({ id, name }) => ({
            words: `load balancer ${name}`,
            remove: () => api.call("DELETE", `/v2/load_balancers/${id}`),
        }));
}

async function volumes(api: DigitalOceanApi, { tag, volumePrefix }: DigitalOceanPlace): Promise<Leftover[]> {
    const all = await api.list<Volume>("/v2/volumes", "volumes");
    return all
        .filter(({ name, tags }) => name.startsWith(volumePrefix) && tags?.includes(tag))
        .map(({ id, name, size_gigabytes: size, droplet_ids: holders = [], region }) => ({
            words: `volume ${name} of ${size} GiB`,
            isVolume: true,
            remove: async () => {
                for (const holder of holders) {
                    const action = { type: "detach", droplet_id: holder, region: region.slug };
                    await api.call("POST", `/v2/volumes/${id}/actions`, action);
                }
                await api.call("DELETE", `/v2/volumes/${id}`);
            },
        }));
}
