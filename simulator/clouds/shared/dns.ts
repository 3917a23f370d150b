import { containerName, docker } from "../../../machines";

/** Adds a name to the DNS of machines' networks, or removes it if the address is omitted. */
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
