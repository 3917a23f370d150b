import assert from "node:assert/strict";
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
        default:
            return providerOutputs(resource);
    }
}

/** Registers a cluster `c` with minimal options, and more. */
export function deployDigitalOcean(options: Partial<DigitalOceanClusterArgs> = {}, isPreview = false) {
    const outputs = isPreview ? () => ({}) : outputsOf;
    return deploy(() => new DigitalOceanCluster("c", { ...args, ...options }), { outputs, answer, isPreview });
}

/** Responses of DigitalOcean. */
function answer({ token, inputs }: { token: string; inputs: Record<string, string> }): object {
    const { id, name, region } = inputs;
    switch (token) {
        case "digitalocean:index/getVpc:getVpc":
            if (region === "ams3") throw refusal(`unable to find default VPC in ${region} region`);
            if (region === "blr1") throw refusal("403 You are not authorized to perform this operation");
            return { id: region === "sgp1" ? "c-id" : "default-id" };
        case "digitalocean:index/getProject:getProject":
            if ((name ?? id) === "gone") throw refusal(`No projects found with name '${name}'`);
            return { id: id ?? `id-of-${name}` };
        default:
            return assert.fail(token);
    }
}

/** An error as sent over the wire: the SDK ignores others. */
const refusal = (message: string) => Object.assign(new Error(message), { details: message });
