import { type BalancedPort, destroyLoadBalancer, ensureLoadBalancer } from "../../../machines";
import { inTurn } from "../shared/in-turn";
import type { Account, Resources } from "./account";
import { admitted } from "./admission";
import type { Balancer, ClassicLoadBalancer } from "./balancers";

const apiPort = 6443;

/** Updates the targets of every load balancer to those that exist: deleted instances are removed. */
export function rebalance(account: Account): Promise<void> {
    return inTurn(() => balanceAll(account.resources));
}

/** Removes a load balancer, and then what `forget` removes from the account; nothing recreates it in between. */
export function removeBalancer(account: Account, { vpc, container }: Balancer, forget: () => void): Promise<void> {
    return inTurn(async () => {
        const network = account.resources.vpcs[vpc]?.name;
        if (network !== undefined) await destroyLoadBalancer(network, container);
        forget();
    });
}

async function balanceAll(resources: Resources): Promise<void> {
    const { loadBalancers, classicLoadBalancers, vpcs } = resources;
    for (const [arn, { vpc, address, container, state }] of Object.entries(loadBalancers)) {
        if (state) continue;
        const all = portsOf(resources, arn);
        const cluster = vpcs[vpc]!.name;
        if (container) {
            // HAProxy does not run without a port.
            if (all.length === 0) continue;
            await ensureLoadBalancer({ cluster, name: container, address, ports: all });
            continue;
        }
        const { backends, allowed, pace } = all.find(({ port }) => port === apiPort) ?? { backends: [] };
        await ensureLoadBalancer({
            cluster,
            address,
            backends,
            allowed,
            pace,
            ports: all.filter(({ port }) => port !== apiPort),
        });
    }
    for (const each of Object.values(classicLoadBalancers)) {
        const { vpc, address, container } = each;
        const cluster = vpcs[vpc]!.name;
        await ensureLoadBalancer({ cluster, name: container, address, ports: classicPortsOf(resources, each) });
    }
}

/** What a network load balancer listens on, and its targets. */
export function portsOf(resources: Resources, loadBalancer: string): BalancedPort[] {
    const { listeners, targetGroups, loadBalancers } = resources;
    const balancer = loadBalancers[loadBalancer]!;
    return Object.values(listeners)
        .filter((each) => each.loadBalancer === loadBalancer)
        .sort((a, b) => a.port - b.port)
        .map(({ port, targetGroup }) => {
            const { port: targetPort, check, pace } = targetGroups[targetGroup]!;
            // Without a group it allows everyone.
            const allowed = balancer.groups.length > 0 ? admitted(resources, balancer, port) : undefined;
            return { port, targetPort, check, pace, allowed, backends: membersOf(resources, targetGroup) };
        });
}

/** The same for a classic load balancer, which checks only one of its ports. */
function classicPortsOf(resources: Resources, balancer: ClassicLoadBalancer): BalancedPort[] {
    const [, checked, path] = /^HTTPS?:(\d+)(\/.*)$/.exec(balancer.check.target) ?? [];
    const check = checked && path ? { port: Number(checked), path } : undefined;
    const backends = balancer.instances.flatMap((id) => resources.instances[id]?.address ?? []).sort();
    return balancer.ports.map(({ port, instancePort }) => {
        const allowed = admitted(resources, balancer, port);
        return { port, targetPort: instancePort, check, allowed, backends };
    });
}

/** Addresses of the instances that were attached, and of those of attached Auto Scaling groups. */
function membersOf({ targets, instances, autoScalingGroups }: Resources, arn: string): string[] {
    const attached = Object.values(targets)
        .filter(({ targetGroup }) => targetGroup === arn)
        .flatMap(({ instance }) => instances[instance] ?? []);
    const scaled = Object.values(instances).filter(
        ({ madeBy }) => madeBy !== undefined && autoScalingGroups[madeBy]?.targetGroups.includes(arn),
    );
    return [...attached, ...scaled].map(({ address }) => address).sort();
}

/** Every load balancer, of both kinds. */
export function balancersOf({ loadBalancers, classicLoadBalancers }: Resources): Balancer[] {
    return [...Object.values(loadBalancers), ...Object.values(classicLoadBalancers)];
}
