import { ports } from "../../../cluster/network/ports";
import type { TestCluster } from "../cluster";

const metadata = "169.254.169.254";

/** Where a request to the metadata service arrives at a kubelet of another machine, which answers 401. */
export const metadataUrl = `https://${metadata}:${ports.kubelet}/pods`;

/**
 * Makes a controller answer a worker at the address of the metadata service, like a cloud: below the worker's routes and
 * rules, since Docker passes no such address between containers.
 *
 * @param address - the controller's
 * @returns takes it away
 */
export async function serveMetadata(
    cluster: TestCluster,
    { worker, controller, address }: { readonly [key in "worker" | "controller" | "address"]: string },
): Promise<() => Promise<unknown>> {
    const another = address.replace(/\d+$/, "250");
    await cluster.exec(controller, `ip address replace ${another}/32 dev lo`);
    await cluster.exec(
        worker,
        `ip route replace ${metadata} via ${address} dev eth0
nft -f - <<END
table netdev metadata
delete table netdev metadata
table netdev metadata {
    chain out {
        type filter hook egress device "eth0" priority 0;
        ip daddr ${metadata} ip daddr set ${another}
    }
    chain in {
        type filter hook ingress device "eth0" priority 0;
        ip saddr ${another} ip saddr set ${metadata}
    }
}
END`,
    );
    return async () => {
        await cluster.exec(worker, `nft delete table netdev metadata; ip route del ${metadata}`);
        await cluster.exec(controller, `ip address del ${another}/32 dev lo`);
    };
}
