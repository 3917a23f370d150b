import assert from "node:assert/strict";
import dns from "node:dns";
import { DigitalOceanCluster, type DigitalOceanClusterArgs } from "../../../../components/digitalocean/cluster";
import { deploy } from "../../deploy";
import { downloads } from "../in-cluster/fixture";
import { providerOutputs } from "../in-cluster/provider-outputs";

const args: DigitalOceanClusterArgs = {
    domain: "example.com",
    region: "fra1",
    image: "170000001",
    sshKeys: ["42"],
    downloads,
};

/** A number in the service's style: `c-controller-1` is 11, a worker's is 20 or more. */
function dropletId(name: string): string {
    return `${name.startsWith("c-controller-") ? 1 : 2}${name.at(-1)}`;
}

/** Outputs of the providers, distinguished by name. */
function outputsOf(resource: { type: string; name: string; inputs: Record<string, unknown> }): object {
    const { type, name, inputs } = resource;
    switch (type) {
        case "digitalocean:index/droplet:Droplet":
            return {
                id: dropletId(name),
                dropletUrn: `do:droplet:${dropletId(name)}`,
                ipv4Address: `198.51.100.${dropletId(name)}`,
                ...(inputs.ipv6 === true && { ipv6Address: `2001:db8::${dropletId(name)}` }),
                ipv4AddressPrivate: `172.24.0.${10 + name.charCodeAt(name.length - 1)}`,
            };
        case "digitalocean:index/loadBalancer:LoadBalancer":
            return { ip: "203.0.113.7" };
        case "digitalocean:index/spacesBucket:SpacesBucket":
            return { bucketUrn: "do:space:acme" };
        case "digitalocean:index/volume:Volume":
            return { volumeUrn: `do:volume:${name}-id` };
        case "digitalocean:index/customImage:CustomImage":
            return { imageId: 180_000_001 };
        default:
            return providerOutputs(resource);
    }
}

/** Registers a cluster `c` with minimal options, and more. */
export function deployDigitalOcean(options: Partial<DigitalOceanClusterArgs> = {}, isPreview = false) {
    const outputs = isPreview ? () => ({}) : outputsOf;
    const { image, ...others } = args;
    const given = { ...(!options.importedImage && { image }), ...others, ...options };
    return deploy(() => new DigitalOceanCluster("c", given), { outputs, answer, isPreview });
}

// No test looks up names in the public DNS.
dns.promises.resolveNs = async (domain) => account.nameServers[domain] ?? ["ns1.digitalocean.com"];

/** What the account has. */
export const account = {
    droplets: [] as object[],
    records: [] as object[],
    dropletLimit: 25,
    /** Of domains that are delegated elsewhere. */
    nameServers: {} as Record<string, string[]>,
    /** Scopes that the token lacks, by function. */
    forbidden: [] as string[],
    imageRegions: ["fra1", "sgp1", "ams3", "blr1", "nyc3"],
};

/** Responses of DigitalOcean. */
function answer({ token, inputs }: { token: string; inputs: Record<string, string> }): object {
    const { id, name, region } = inputs;
    if (account.forbidden.includes(token.split(":")[2]!)) throw refusal("403 You are not authorized");
    const everywhere = { available: true, regions: ["fra1", "sgp1", "ams3", "blr1", "nyc3"] };
    switch (token) {
        case "digitalocean:index/getAccount:getAccount":
            return { dropletLimit: account.dropletLimit };
        case "digitalocean:index/getDomain:getDomain":
            if (name === "example.net") throw refusal("domain not found: 404");
            return { name };
        case "digitalocean:index/getDroplets:getDroplets":
            return { droplets: account.droplets };
        case "digitalocean:index/getImage:getImage":
            if (inputs.slug === "nonsense") throw refusal("image not found: 404");
            return { name: "theirs", regions: account.imageRegions, status: "available", minDiskSize: 9 };
        case "digitalocean:index/getSizes:getSizes":
            return {
                sizes: [
                    ["s-1vcpu-2gb", 1, 2, 50],
                    ["s-2vcpu-2gb", 2, 2, 60],
                    ["s-2vcpu-4gb", 2, 4, 80],
                    ["s-4vcpu-8gb", 4, 8, 160],
                    ["s-8vcpu-16gb", 8, 16, 320],
                ].map(([slug, vcpus, memory, disk]) => ({
                    ...{ slug, vcpus, memory: Number(memory) * 1024, disk },
                    ...everywhere,
                })),
            };
        case "digitalocean:index/getSshKeys:getSshKeys":
            return {
                sshKeys: [{ id: 42, name: "theirs", fingerprint: "3b:16:bf:e4:8b:00:8b:b8:59:8c:a9:d3:f0:19:45:fa" }],
            };
        case "digitalocean:index/getRecords:getRecords":
            return { records: account.records };
        case "digitalocean:index/getLoadBalancer:getLoadBalancer":
        case "digitalocean:index/getSpacesBucket:getSpacesBucket":
        case "digitalocean:index/getVolume:getVolume":
            throw refusal(`no such things found with name ${name}`);
        case "digitalocean:index/getVpc:getVpc":
            if (name !== undefined) throw refusal(`no VPCs found with name ${name}`);
            if (region === "ams3") throw refusal(`unable to find default VPC in ${region} region`);
            if (region === "blr1") throw refusal("403 You are not authorized to perform this operation");
            return { id: region === "sgp1" ? "c-id" : "default-id", name: "default", ipRange: "10.114.0.0/20" };
        case "digitalocean:index/getProject:getProject":
            if ((name ?? id) === "gone") throw refusal(`No projects found with name '${name}'`);
            return { id: id ?? `id-of-${name}` };
        default:
            return assert.fail(token);
    }
}

/** An error as sent over the wire: the SDK ignores others. */
const refusal = (message: string) => Object.assign(new Error(message), { details: message });
