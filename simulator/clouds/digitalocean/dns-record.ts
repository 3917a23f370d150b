import { isIP, isIPv4 } from "node:net";
import type { Properties } from "../../plugins/protocol/serve";
import { setRecord } from "../shared/dns";
import { oneOf, type Rule, required, text } from "../shared/inputs";
import type { Simulated } from "../shared/simulated";
import type { Account } from "./account";

const ttl: Rule = {
    legal: "30 seconds or more",
    isLegal: (value: unknown) => Number.isInteger(value) && Number(value) >= 30,
};

/** A DNS record: an entry in the DNS of every VPC, except AAAA records, as machines have no IPv6. */
export const dnsRecord: Simulated<Account> = {
    inputs: {
        domain: text("a domain", /^[a-z0-9.-]+$/, required),
        type: oneOf(["A", "AAAA"], required),
        name: text("a name in the domain", /^[a-z0-9_*@.-]+$/, required),
        value: {
            legal: "an IP address",
            isLegal: (value: unknown) => isIP(String(value)) !== 0,
            isRequired: true,
        },
        ttl,
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
        const { [id]: found } = account.resources.dnsRecords;
        if (found && isIPv4(found.value)) await setRecord(networks(account), id);
        account.remove("dnsRecords", id);
    },
};

async function put(account: Account, id: string, { domain, type, name, value }: Properties) {
    const { domains } = account;
    if (!domains.includes(String(domain))) {
        throw new Error(`domain must be one of the account's (${domains.join(", ")}) (got ${domain})`);
    }
    if (isIPv4(String(value)) !== (type === "A"))
        throw new Error(`value must be valid for a record of type ${type} (got ${value})`);
    const record = { domain: String(domain), name: String(name), value: String(value) };
    account.put("dnsRecords", id, record);
    const address = record.value;
    if (type === "A") await setRecord(networks(account), id, { name: `${record.name}.${record.domain}`, address });
    return record;
}

const networks = (account: Account) => Object.values(account.resources.vpcs).map(({ name }) => name);
