import { createNetwork, destroyNetwork, overlaps } from "../../../machines";
import type { Properties } from "../../plugins/protocol/serve";
import { certificateFor } from "../services/simulator-ca";
import { startServices } from "../services/start";
import { met } from "../shared/behaviours";
import { oneOf, required, text } from "../shared/inputs";
import type { Deletion, Simulated } from "../shared/simulated";
import type { Account } from "./account";
import { regions } from "./offers";

const privateRange = /^(10\.\d+\.\d+\.\d+|172\.(1[6-9]|2\d|3[01])\.\d+\.\d+|192\.168\.\d+\.\d+)\/(1[6-9]|2[0-4])$/;

/** Seconds for which a VPC may still count deleted members. */
const memberLag = 180;
/** The provider's default if the program sets no `customTimeouts`, in seconds. Source: its `resource_vpc.go`. */
const defaultDeleteTimeout = 120;

/** A VPC: the machines' network of the same name. */
export const vpc: Simulated<Account> = {
    inputs: {
        name: text("letters, digits, dashes and periods", /^[A-Za-z0-9.-]+$/, required),
        region: oneOf(regions, required),
        ipRange: text("a private block of /16 to /24", privateRange, required),
        description: text("a text of at most 255 characters", /^.{0,255}$/),
    },
    outputs: ["createdAt", "default", "vpcUrn"],
    async create(account: Account, { name, region, ipRange }: Properties) {
        const isDefault = account.defaultVpc(String(region)) === undefined;
        const created = { name: String(name), region: String(region), ipRange: String(ipRange), isDefault };
        for (const other of Object.values(account.resources.vpcs)) {
            if (other.name === created.name) throw new Error(`a VPC named ${name} already exists`);
            if (overlaps(other.ipRange, created.ipRange)) {
                throw new Error(`This range/size overlaps with another VPC network in your account: ${other.ipRange}`);
            }
        }
        const id = account.newId("vpcs");
        account.put("vpcs", id, created);
        const [domain] = account.state.domains;
        const { folder, ready } = startServices("digitalocean", account.path);
        const services = { folder, ...digitalOceanNames() };
        const network = {
            cluster: created.name,
            subnet: created.ipRange,
            domain: domain!,
            lacksApiName: true,
            services,
        };
        await Promise.all([ready, createNetwork(network)]);
        return { id, outputs: { createdAt: new Date().toISOString(), default: isDefault, vpcUrn: `do:vpc:${id}` } };
    },
    async update(account: Account, id: string, { name }: Properties) {
        if (name !== account.resources.vpcs[id]!.name) throw new Error("changing the name is not simulated");
        return undefined;
    },
    async delete(account: Account, id: string, { timeout }: Pick<Deletion, "timeout"> = { timeout: 0 }) {
        const { vpcs, droplets, loadBalancers } = account.resources;
        const members = [...Object.values(droplets), ...Object.values(loadBalancers)].filter((each) => each.vpc === id);
        if (members.length > 0) {
            throw new Error(`Can not delete VPC with members: ${members.map(({ name }) => name).join(", ")}`);
        }
        // Added up, not slept: the provider retries until its timeout, since version 2.65 also after a 409, which is
        // what the service returns (terraform-provider-digitalocean#1368 and #1424).
        if (vpcs[id]!.given && (timeout || defaultDeleteTimeout) < memberLag) {
            met("VPC members");
            throw new Error(
                `Error deleting VPC: DELETE https://api.digitalocean.com/v2/vpcs/${id}: 409 Can not delete VPC with members`,
            );
        }
        if (vpcs[id]!.given) met("VPC members");
        // The service's message: the default VPC of a region cannot be deleted until another one is the default.
        if (vpcs[id]!.isDefault) {
            // The provider repeats what is answered with 403.
            account.wait(timeout || defaultDeleteTimeout);
            throw new Error(`DELETE https://api.digitalocean.com/v2/vpcs/${id}: 403 Can not delete default VPCs`);
        }
        await destroyNetwork(vpcs[id]!.name);
        account.remove("vpcs", id);
    },
};

/** Names that DigitalOcean's services use, and a certificate for them. */
function digitalOceanNames(): { readonly domains: readonly string[]; readonly certificate: string } {
    const spaces = regions.map((region) => `*.${region}.digitaloceanspaces.com`);
    const all = ["*.digitalocean.com", "*.digitaloceanspaces.com", ...spaces];
    return { domains: ["digitalocean.com", "digitaloceanspaces.com"], certificate: certificateFor(all) };
}
