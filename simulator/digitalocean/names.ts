import { containerName, docker } from "../../machines";
import type { Account, DnsRecord } from "./account";

/** Makes the DNS of every VPC answer for a record, or no longer answer if it is left out. */
export async function setRecord(account: Account, id: string, record?: DnsRecord): Promise<void> {
    for (const { name: network } of Object.values(account.resources.vpcs)) {
        const words = record ? [id, record.value, `${record.name}.${record.domain}`] : [id];
        await docker(["exec", containerName(network, "infra.service"), "/usr/lib/tradewind/dns-record", ...words]);
    }
}
