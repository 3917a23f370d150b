import type { Properties } from "../../plugins/protocol/serve";
import { listOf, oneOf, required, text } from "../shared/inputs";
import type { Simulated } from "../shared/simulated";
import type { Account } from "./account";
import { announce, isIn } from "./names";
import { zoneOf } from "./offers";
import { has } from "./rules";

const isText = (value: unknown) => typeof value === "string";

/**
 * An alias of a load balancer: an entry in the DNS of every VPC that resolves its zone, and of the machine that runs
 * Pulumi.
 */
export const record: Simulated<Account> = {
    inputs: {
        zoneId: text("a hosted zone's id", /^Z[A-Z0-9]+$/, required),
        name: text("a DNS name", /^[a-z0-9.-]+$/, required),
        type: oneOf(["A", "AAAA"], required),
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
        const { name } = account.find("records", id);
        account.remove("records", id);
        if (isKnown(id)) await announce(account, name);
    },
};

async function put(account: Account, id: string, { zoneId, name, aliases }: Properties): Promise<void> {
    const { name: zone } = zoneOf(account, String(zoneId));
    if (!isIn(String(name), zone)) {
        throw new Error(`InvalidChangeBatch: RRSet with DNS name ${name} is not permitted in zone ${zone}`);
    }
    const [{ name: target }] = aliases as [{ name: string }];
    const balancer = account.all("loadBalancers").find(({ dnsName }) => dnsName === target);
    if (!balancer) throw new Error(`InvalidChangeBatch: the alias target ${target} does not exist`);
    if (balancer.state) throw new Error(`InvalidChangeBatch: the alias target ${target} is not active`);
    account.put("records", id, { name: String(name), address: balancer.address, target });
    if (isKnown(id)) await announce(account, String(name));
}

/** Machines have no IPv6: AAAA records only exist in the account. */
const isKnown = (id: string) => id.endsWith("_A");
