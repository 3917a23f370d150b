import { type BalancedPort, ensureLoadBalancer } from "../../machines";
import { inTurn } from "../cloud/in-turn";
import type { Account, Resources } from "./account";
import { admitted } from "./admission";

const apiPort = 6443;

/** Tells every load balancer its targets that are there: an instance that is deleted leaves it. */
export function balanceAnew(account: Account): Promise<void> {
    return inTurn(() => balanceAll(account.resources));
}

async function balanceAll(resources: Resources): Promise<void> {
    for (const [arn, { vpc, address }] of Object.entries(resources.loadBalancers)) {
        const all = portsOf(resources, arn);
        const { backends, allowed } = all.find(({ port }) => port === apiPort) ?? { backends: [] };
        const ports = all.filter(({ port }) => port !== apiPort);
        await ensureLoadBalancer({ cluster: resources.vpcs[vpc]!.name, address, backends, allowed, ports });
    }
}

/** What a load balancer listens on, and whom it asks there. */
export function portsOf(resources: Resources, loadBalancer: string): BalancedPort[] {
    const { listeners, targetGroups, loadBalancers } = resources;
    return Object.values(listeners)
        .filter((each) => each.loadBalancer === loadBalancer)
        .sort((a, b) => a.port - b.port)
        .map(({ port, targetGroup }) => {
            const { port: targetPort, check } = targetGroups[targetGroup]!;
            const allowed = admitted(resources, loadBalancers[loadBalancer]!, port);
            return { port, targetPort, check, allowed, backends: membersOf(resources, targetGroup) };
        });
}

/** Addresses of the instances that were attached, and of those of Auto Scaling groups that were. */
function membersOf({ targets, instances, autoScalingGroups }: Resources, arn: string): string[] {
    const attached = Object.values(targets)
        .filter(({ targetGroup }) => targetGroup === arn)
        .flatMap(({ instance }) => instances[instance] ?? []);
    const scaled = Object.values(instances).filter(
        ({ madeBy }) => madeBy !== undefined && autoScalingGroups[madeBy]?.targetGroups.includes(arn),
    );
    return [...attached, ...scaled].map(({ address }) => address).sort();
}
