import { ensureLoadBalancer } from "../../machines";
import type { Account } from "./account";

/** Tells every load balancer its targets that are there: an instance that is deleted leaves it. */
export async function balanceAnew(account: Account): Promise<void> {
    const { vpcs, instances, loadBalancers, listeners, targets } = account.resources;
    for (const [arn, { vpc, address }] of Object.entries(loadBalancers)) {
        const groups = Object.values(listeners)
            .filter(({ loadBalancer }) => loadBalancer === arn)
            .map(({ targetGroup }) => targetGroup);
        const backends = Object.values(targets)
            .filter(({ targetGroup }) => groups.includes(targetGroup))
            .flatMap(({ instance }) => instances[instance]?.address ?? []);
        await ensureLoadBalancer({ cluster: vpcs[vpc]!.name, address, backends: backends.sort() });
    }
}
