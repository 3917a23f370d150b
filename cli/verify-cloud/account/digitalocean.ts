import { DigitalOceanApi } from "../../../clients/digitalocean/api";
import { ownTags } from "../../../components/digitalocean/tags";
import type { Account } from "./account";

interface Item {
    readonly id: string | number;
    readonly name: string;
    readonly tags?: readonly string[] | null;
    readonly vpc_uuid?: string;
}

/** The account of the environment's token. */
export async function digitalOceanAccount(cluster: string, env: NodeJS.ProcessEnv): Promise<Account> {
    const api = DigitalOceanApi.ofVariables(env);
    if (api === undefined) throw new Error("no DigitalOcean token was found: set DIGITALOCEAN_TOKEN");
    const { account } = await api.call<{ account?: { uuid?: string; team?: { uuid?: string } } }>("GET", "/v2/account");
    const id = account?.team?.uuid ?? account?.uuid;
    if (!id) throw new Error("DigitalOcean must return the account of DIGITALOCEAN_TOKEN (got none)");
    return { id, existing: () => existingOf(cluster, api) };
}

async function existingOf(cluster: string, api: DigitalOceanApi): Promise<string[]> {
    const tag = encodeURIComponent(ownTags(cluster).nodes);
    const vpcs = (await api.list<Item>("/v2/vpcs", "vpcs")).filter(({ name }) => name === cluster);
    const inVpc = ({ vpc_uuid: vpc }: Item) => vpcs.some(({ id }) => id === vpc);
    const isTagged = ({ tags }: Item) => tags?.includes(cluster) ?? false;
    // The stack's own load balancers and etcd volumes have no tag but a name of this form.
    const isNamed = ({ name }: Item) => [`${cluster}-api`, `${cluster}-ingress`].includes(name);
    const isEtcd = ({ name }: Item) => name.startsWith(`${cluster}-controller-`) && name.endsWith("-etcd");
    const balancers = await api.list<Item>("/v2/load_balancers", "load_balancers");
    const volumes = await api.list<Item>("/v2/volumes", "volumes");
    const snapshots = await api.list<Item>("/v2/snapshots", "snapshots");
    const named = (words: string, all: readonly Item[]) => all.map(({ name, id }) => `${words} ${name} (${id})`);
    return [
        ...named("droplet", await api.list<Item>(`/v2/droplets?tag_name=${tag}`, "droplets")),
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
