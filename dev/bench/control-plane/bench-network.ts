import { ensure } from "../../../artifacts";
import { createNetwork, destroyCluster, ensureEngine, ensureImage, pickSubnet } from "../../../machines";
import type { KubernetesVersion } from "../../../versions";

/** Runs work with a temporary network for machines and everything they boot from; removed afterwards, including machines. */
export async function withBenchNetwork<T>(
    cluster: string,
    say: (line: string) => void,
    work: (subnet: string) => Promise<T>,
    versions?: readonly KubernetesVersion[],
): Promise<T> {
    await ensureEngine();
    await ensure({ say, ...(versions && { kubernetes: versions }) });
    await ensureImage();
    // Left behind by an earlier run that was killed.
    await destroyCluster(cluster);
    try {
        const subnet = await pickSubnet(cluster, ["10.2.0.0/16", "10.3.0.0/16"]);
        await createNetwork({ cluster, subnet, domain: "tradewind.internal" });
        return await work(subnet);
    } finally {
        await destroyCluster(cluster);
    }
}
