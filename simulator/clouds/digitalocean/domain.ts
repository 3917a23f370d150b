import { required, text } from "../shared/inputs";
import type { Simulated } from "../shared/simulated";
import type { Account } from "./account";
import { dnsRecord } from "./dns-record";

/** A domain: its id is its name. */
export const domain: Simulated<Account> = {
    inputs: { name: text("a domain", /^[a-z0-9-]+(\.[a-z0-9-]+)+$/, required) },
    outputs: ["domainUrn", "ttl"],
    async create(account, inputs) {
        const name = String(inputs.name);
        // Of whichever account has it.
        if (account.domains.includes(name)) {
            throw new Error(`POST https://api.digitalocean.com/v2/domains: 422 domain '${name}': name already exists`);
        }
        account.put("domains", name, { name });
        return { id: name, outputs: { domainUrn: `do:domain:${name}`, ttl: 1800 } };
    },
    /** With all its records, also those that no stack created. */
    async delete(account, id) {
        const records = Object.entries(account.resources.dnsRecords).filter(([, { domain: of }]) => of === id);
        for (const [record] of records) await dnsRecord.delete(account, record);
        account.remove("domains", id);
    },
};
