import { containerName, docker } from "../../machines";

/** Ports of a node that are open to nodes or to nothing: SSH, the kubelet, etcd. */
const guarded = [22, 10250, 2379];

/**
 * Prints the result of a connection: `open`, `refused`, or `dropped` if there is no response, as behind a packet
 * filter.
 */
export function probeTls(address: string, port: number): string {
    const come = `timeout 2 bash -c '</dev/tcp/${address}/${port}' 2> /dev/null`;
    return `${come}; case $? in 0) echo open ;; 124) echo dropped ;; *) echo refused ;; esac`;
}

/** Results of connections to nodes from a machine of their network that is not a node, by address and port. */
export async function tlsProbesFromOutside(
    cluster: string,
    addresses: readonly string[],
): Promise<Record<string, string>> {
    const outside = containerName(cluster, "infra.service");
    const ask = async (address: string, port: number) => {
        const said = await docker(["exec", outside, "sh", "-c", probeTls(address, port)]);
        return [`${address}:${port}`, said.trim()] as const;
    };
    const all = addresses.flatMap((address) => guarded.map((port) => ask(address, port)));
    return Object.fromEntries(await Promise.all(all));
}
