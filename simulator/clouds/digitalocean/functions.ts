import { isIPv4 } from "node:net";
import type { Properties } from "../../plugins/protocol/serve";
import { met } from "../shared/behaviours";
import type { Account } from "./account";
import { imageRegions, images, regions, sizes } from "./offers";

/** The functions that our stack calls, and the scope of the token that each requires. */
export const functions: Readonly<Record<string, (account: Account, args: Properties) => Properties>> = {
    "digitalocean:index/getAccount:getAccount": permitted("account:read", getAccount),
    "digitalocean:index/getDomain:getDomain": permitted("domain:read", getDomain),
    "digitalocean:index/getDroplets:getDroplets": permitted("droplet:read", getDroplets),
    "digitalocean:index/getImage:getImage": permitted("image:read", getImage),
    "digitalocean:index/getLoadBalancer:getLoadBalancer": permitted("load_balancer:read", getLoadBalancer),
    "digitalocean:index/getProject:getProject": permitted("project:read", getProject),
    "digitalocean:index/getRecords:getRecords": permitted("domain:read", getRecords),
    "digitalocean:index/getSizes:getSizes": permitted("sizes:read", getSizes),
    "digitalocean:index/getSpacesBucket:getSpacesBucket": getSpacesBucket,
    "digitalocean:index/getSshKeys:getSshKeys": permitted("ssh_key:read", getSshKeys),
    "digitalocean:index/getVolume:getVolume": permitted("block_storage:read", getVolume),
    "digitalocean:index/getVpc:getVpc": permitted("vpc:read", getVpc),
};

type Answer = (account: Account, args: Properties) => Properties;

function permitted(scope: string, answer: Answer): Answer {
    return (account, args) => {
        if (account.state.lackedScopes?.includes(scope)) {
            met("missing scope");
            throw new Error("403 You are missing the required permission to perform this operation");
        }
        return answer(account, args);
    };
}

function getAccount({ state: { dropletLimit = 25 } }: Account): Properties {
    return { id: "account", dropletLimit, status: "active" };
}

function getDomain({ domains }: Account, { name }: Properties): Properties {
    if (!domains.includes(String(name))) throw new Error(`domain not found: 404 The resource was not found`);
    return { id: name, name, ttl: 1800, domainUrn: `do:domain:${name}` };
}

function getDroplets({ resources }: Account, args: Properties): Properties {
    refuseFilters(args);
    const droplets = Object.entries(resources.droplets).map(
        ([id, { name, region, size = "", disk = sizes[size]?.disk, tags, vpc }]) => {
            return { id: Number(id), name, region, size, disk, tags: [...tags], vpcUuid: vpc };
        },
    );
    return { id: "droplets", droplets };
}

/** By its id or its slug. */
function getImage({ state, resources }: Account, { id, slug }: Properties): Properties {
    const key = String(id ?? slug);
    const imported = resources.images?.[key];
    const has = imported !== undefined || (id === undefined ? images[key] : state.images[key]) !== undefined;
    if (!has) throw new Error(id === undefined ? "image not found: 404" : `image ID ${id} not found: 404`);
    const where = imported?.regions ?? state.imageRegions?.[key] ?? imageRegions[key] ?? regions;
    const { name = `image ${key}`, status = "available" } = imported ?? {};
    return { id: key, name, regions: [...where], status, minDiskSize: state.minDiskSizes?.[key] ?? 9 };
}

/** By its id or its name. */
function getProject(account: Account, { id, name }: Properties): Properties {
    const all = Object.entries(account.projects);
    const [found, ...others] = all.filter(([each, called]) => (id === undefined ? called === name : each === id));
    if (!found) {
        throw new Error(id === undefined ? `No projects found with name '${name}'` : `Unable to load project ID ${id}`);
    }
    if (others.length > 0) throw new Error(`Multiple projects found with name '${name}'`);
    return { id: found[0], name: found[1], isDefault: false };
}

function getSizes(_: Account, args: Properties): Properties {
    refuseFilters(args);
    const all = Object.entries(sizes).map(([slug, { regions: where = regions, available = true, price, ...size }]) => {
        return { slug, available, regions: [...where], priceMonthly: price, priceHourly: price / 672, ...size };
    });
    return { id: "sizes", sizes: all };
}

function getSshKeys(account: Account, args: Properties): Properties {
    refuseFilters(args);
    const sshKeys = Object.entries(account.sshKeys).map(([id, key]) => ({ id: Number(id), ...key }));
    return { id: "keys", sshKeys };
}

/** By its id or its name, or the default one of a region. */
function getVpc(account: Account, { id: given, name, region }: Properties): Properties {
    if (region !== undefined) {
        const id = account.defaultVpc(String(region));
        if (id === undefined) throw new Error(`Error retrieving VPC: unable to find default VPC in ${region} region`);
        const { ipRange = "10.114.0.0/20", name: called = id } = account.resources.vpcs[id] ?? {};
        return { id, name: called, region, ipRange, default: true };
    }
    const all = Object.entries(account.resources.vpcs);
    const [id, found] = all.find(([each, vpc]) => each === given || vpc.name === name) ?? [];
    if (!found && given !== undefined) throw new Error(`Error retrieving VPC: GET /v2/vpcs/${given}: 404`);
    if (!found) throw new Error(`Error retrieving VPC: no VPCs found with name ${name}`);
    return { id, name: found.name, region: found.region, ipRange: found.ipRange, default: false };
}

function getLoadBalancer({ resources }: Account, { name }: Properties): Properties {
    const found = Object.entries(resources.loadBalancers).filter(([, each]) => each.name === name);
    const [id, { vpc, address }] = only("load balancers", name, found);
    return { id, name, vpcUuid: vpc, ip: address };
}

function getVolume({ resources }: Account, { name, region }: Properties): Properties {
    const all = Object.entries(resources.volumes);
    const [id, { size }] = only(
        "volumes",
        name,
        all.filter(([, each]) => each.name === name && each.region === region),
    );
    return { id, name, region, size, dropletIds: [], tags: [] };
}

/** As the provider does: one, or an error. */
function only<T>(kind: string, name: unknown, found: readonly T[]): T {
    if (found.length === 0) throw new Error(`no ${kind} found with name ${name}`);
    if (found.length > 1)
        throw new Error(`too many ${kind} found with name ${name} (found ${found.length}, expected 1)`);
    return found[0]!;
}

function getRecords({ domains, resources }: Account, { domain, filters }: Properties): Properties {
    if (!domains.includes(String(domain))) throw new Error("Error retrieving records: 404 not found");
    const [{ key, values } = {}, ...others] = (filters ?? []) as { key?: string; values?: string[] }[];
    if (key !== "name" || others.length > 0) throw new Error("other filters than names of records are not simulated");
    const records = Object.entries(resources.dnsRecords)
        .filter(([, each]) => each.domain === domain && values!.includes(each.name))
        .map(([id, each]) => ({ ...each, id: Number(id), type: isIPv4(each.value) ? "A" : "AAAA" }));
    return { id: "records", domain, records };
}

function getSpacesBucket({ resources }: Account, { name, region }: Properties): Properties {
    const found = Object.values(resources.spacesBuckets).find((each) => each.name === name && each.region === region);
    if (!found) throw new Error(`Spaces Bucket (${name}) not found`);
    return { id: name, name, region };
}

function refuseFilters(args: Properties): void {
    const [filter] = Object.keys(args);
    if (filter) throw new Error(`${filter} of a list are not simulated`);
}
