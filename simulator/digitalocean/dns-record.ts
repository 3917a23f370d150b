import { setRecord } from "../cloud/dns";
import { oneOf, type Rule, text } from "../cloud/inputs";
import type { Simulated } from "../cloud/simulated";
import type { Properties } from "../plugin";
import type { Account } from "./account";

const ttl: Rule = {
    legal: "30 seconds or more",
    isLegal: (value: unknown) => Number.isInteger(value) && Number(value) >= 30,
};

/** A DNS record: an entry in the DNS of every VPC. */
export const dnsRecord: Simulated<Account> = {
    inputs: {
        rules: {
            domain: text("a domain", /^[a-z0-9.-]+$/, { isRequired: true, isFixed: true }),
            type: oneOf(["A"], { isRequired: true, isFixed: true }),
            name: text("a name in the domain", /^[a-z0-9_*@.-]+$/, { isRequired: true }),
            value: text("an IPv4 address", /^\d+\.\d+\.\d+\.\d+$/, { isRequired: true }),
            ttl,
        },
        notSimulated: ["flags", "port", "priority", "tag", "weight"],
    },
    outputs: ["fqdn"],
    async create(account: Account, inputs: Properties) {
        const id = account.newId("dnsRecords");
        const record = await put(account, id, inputs);
        return { id, outputs: { fqdn: `${record.name}.${record.domain}` } };
    },
    async update(account: Account, id: string, inputs: Properties) {
        await put(account, id, inputs);
        return undefined;
    },
    async delete(account: Account, id: string) {
        await setRecord(networks(account), id);
        account.remove("dnsRecords", id);
    },
};

async function put(account: Account, id: string, { domain, name, value }: Properties) {
    if (!account.state.domains.includes(String(domain))) {
        throw new Error(`domain must be one of the account's (${account.state.domains.join(", ")}), got ${domain}`);
    }
    const record = { domain: String(domain), name: String(name), value: String(value) };
    account.put("dnsRecords", id, record);
    await setRecord(networks(account), id, { name: `${record.name}.${record.domain}`, address: record.value });
    return record;
}

const networks = (account: Account) => Object.values(account.resources.vpcs).map(({ name }) => name);
