import { containerName, docker } from "../../../machines";

/** Makes the DNS of machines' networks answer for a name, or no longer answer if it is left out. */
export async function setRecord(
    networks: readonly string[],
    id: string,
    record?: { readonly name: string; readonly address: string },
): Promise<void> {
    for (const network of networks) {
        const words = record ? [id, record.address, record.name] : [id];
        await docker(["exec", containerName(network, "infra.service"), "/usr/lib/tradewind/dns-record", ...words]);
    }
}
