import { setRecord } from "../cloud/dns";
import { listOf, oneOf, text } from "../cloud/inputs";
import type { Simulated } from "../cloud/simulated";
import type { Properties } from "../plugin";
import type { Account } from "./account";
import { has } from "./rules";

const isText = (value: unknown) => typeof value === "string";

/** An alias of a load balancer: an entry in the DNS of every VPC, and of who runs Pulumi. */
export const record: Simulated<Account> = {
    inputs: {
        rules: {
            zoneId: text("a hosted zone's id", /^Z[A-Z0-9]+$/, { isRequired: true, isFixed: true }),
            name: text("a DNS name", /^[a-z0-9.-]+$/, { isRequired: true, isFixed: true }),
            type: oneOf(["A"], { isRequired: true, isFixed: true }),
            aliases: listOf(
                "aliases of load balancers",
                (value: unknown) =>
                    has(value, { name: isText, zoneId: isText, evaluateTargetHealth: (each) => each === false }),
                { isRequired: true },
            ),
        },
        notSimulated: [
            "allowOverwrite",
            "cidrRoutingPolicy",
            "failoverRoutingPolicies",
            "geolocationRoutingPolicies",
            "geoproximityRoutingPolicy",
            "healthCheckId",
            "latencyRoutingPolicies",
            "multivalueAnswerRoutingPolicy",
            "records",
            "setIdentifier",
            "ttl",
            "weightedRoutingPolicies",
        ],
    },
    outputs: ["fqdn"],
    async create(account, inputs) {
        const id = `${inputs.zoneId}_${inputs.name}_A`;
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
        await setRecord(networks(account), dnsId(id));
        account.remove("records", id);
    },
};

async function put(account: Account, id: string, { zoneId, name, aliases }: Properties): Promise<void> {
    const zone = account.state.zones[String(zoneId)];
    if (!zone || !String(name).endsWith(`.${zone}`)) {
        throw new Error(`InvalidChangeBatch: RRSet with DNS name ${name} is not permitted in zone ${zone ?? zoneId}`);
    }
    const [{ name: target }] = aliases as [{ name: string }];
    const balancer = account.all("loadBalancers").find(({ dnsName }) => dnsName === target);
    if (!balancer) throw new Error(`InvalidChangeBatch: the alias target ${target} does not exist`);
    const { address } = balancer;
    account.put("records", id, { name: String(name), address });
    await setRecord(networks(account), dnsId(id), { name: String(name), address });
}

const networks = (account: Account) => account.all("vpcs").map(({ name }) => name);

/** It is the name of a file there. */
const dnsId = (id: string) => id.replaceAll(/[^A-Za-z0-9]/g, "-");
