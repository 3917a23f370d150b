import type { Properties } from "../../plugins/protocol/serve";
import { setRecord } from "../shared/dns";
import { fixed, listOf, oneOf, required, text } from "../shared/inputs";
import type { Simulated } from "../shared/simulated";
import type { Account } from "./account";
import { zoneOf } from "./offers";
import { has } from "./rules";

const isText = (value: unknown) => typeof value === "string";

/**
 * An alias of a load balancer: an entry in the DNS of every VPC that resolves its zone, and of the machine that runs
 * Pulumi.
 */
export const record: Simulated<Account> = {
    inputs: {
        zoneId: text("a hosted zone's id", /^Z[A-Z0-9]+$/, fixed),
        name: text("a DNS name", /^[a-z0-9.-]+$/, fixed),
        type: oneOf(["A", "AAAA"], fixed),
        aliases: listOf(
            "aliases of load balancers",
            (value: unknown) =>
                has(value, { name: isText, zoneId: isText, evaluateTargetHealth: (each) => each === false }),
            required,
        ),
    },
    outputs: ["fqdn"],
    async create(account, inputs) {
        const id = `${inputs.zoneId}_${inputs.name}_${inputs.type}`;
        if (account.resources.records[id]) {
            throw new Error(`InvalidChangeBatch: it was submitted as ${inputs.name} but it already exists`);
        }
        await put(account, id, inputs);
        return { id, outputs: { fqdn: inputs.name } };
    },
    async update(account, id, inputs) {
        await put(account, id, inputs);
        return undefined;
    },
    async delete(account, id) {
        if (isKnown(id)) await setRecord(networks(account, id), dnsId(id));
        account.remove("records", id);
    },
};

async function put(account: Account, id: string, { zoneId, name, aliases }: Properties): Promise<void> {
    const { name: zone } = zoneOf(account, String(zoneId));
    if (!String(name).endsWith(`.${zone}`)) {
        throw new Error(`InvalidChangeBatch: RRSet with DNS name ${name} is not permitted in zone ${zone}`);
    }
    const [{ name: target }] = aliases as [{ name: string }];
    const balancer = account.all("loadBalancers").find(({ dnsName }) => dnsName === target);
    if (!balancer) throw new Error(`InvalidChangeBatch: the alias target ${target} does not exist`);
    if (balancer.state) throw new Error(`InvalidChangeBatch: the alias target ${target} is not active`);
    const { address } = balancer;
    account.put("records", id, { name: String(name), address });
    if (isKnown(id)) await setRecord(networks(account, id), dnsId(id), { name: String(name), address });
}

/** Makes a zone's records resolvable in another VPC. */
export async function announce(account: Account, zone: string, vpc: string): Promise<void> {
    for (const [id, record] of recordsOf(account, zone)) {
        await setRecord([account.find("vpcs", vpc).name], dnsId(id), record);
    }
}

/** Removes them from it. */
export async function forget(account: Account, zone: string, vpc: string): Promise<void> {
    for (const [id] of recordsOf(account, zone)) await setRecord([account.find("vpcs", vpc).name], dnsId(id));
}

const recordsOf = (account: Account, zone: string) =>
    Object.entries(account.resources.records).filter(([id]) => id.startsWith(`${zone}_`) && isKnown(id));

/** The networks of the VPCs that resolve a record. */
function networks(account: Account, id: string): string[] {
    const { vpcs } = zoneOf(account, id.slice(0, id.indexOf("_")));
    return Object.entries(account.resources.vpcs)
        .filter(([vpc]) => vpcs?.includes(vpc) ?? true)
        .map(([, { name }]) => name);
}

/** Machines have no IPv6: AAAA records only exist in the account. */
const isKnown = (id: string) => id.endsWith("_A");

/** Used as a file name there. */
const dnsId = (id: string) => id.replaceAll(/[^A-Za-z0-9]/g, "-");
