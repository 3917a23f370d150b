import { type ApiCheck, type BalancedPort, destroyLoadBalancer, ensureLoadBalancer } from "../../../machines";
import { inTurn } from "../shared/in-turn";
import type { Account, Resources } from "./account";
import { admission } from "./admission";
import type { Balancer, ClassicLoadBalancer } from "./balancers";
import { leaveInterfaces } from "./interfaces";

const apiPort = 6443;

/** Updates the targets of every load balancer to those that exist: deleted instances are removed. */
export function rebalance(account: Account): Promise<void> {
    return inTurn(() => balanceAll(account));
}

/** Removes a load balancer, and then what `forget` removes from the account; nothing recreates it in between. */
export function removeBalancer(account: Account, balancer: Balancer, forget: () => void): Promise<void> {
    const { vpc, container } = balancer;
    return inTurn(async () => {
        const network = account.resources.vpcs[vpc]?.name;
        if (network !== undefined) await destroyLoadBalancer(network, container);
        forget();
        leaveInterfaces(account, balancer);
    });
}

async function balanceAll(account: Account): Promise<void> {
    const { loadBalancers, classicLoadBalancers, vpcs } = account.resources;
    for (const [arn, { vpc, address, container, state }] of Object.entries(loadBalancers)) {
        if (state) continue;
        const all = portsOf(account, arn);
        const cluster = vpcs[vpc]!.name;
        const api = all.find(isApi);
        // HAProxy does not run without a port.
        if (container && all.length === 0) continue;
        await ensureLoadBalancer({
            cluster,
            ...(container && { name: container }),
            address,
            ...(!container && { backends: [] }),
            ...(api && { backends: api.backends, allowed: api.allowed, refused: api.refused, pace: api.pace }),
            ...(api && { check: checkOf(account, arn) }),
            ports: all.filter((each) => each !== api),
        });
    }
    for (const each of Object.values(classicLoadBalancers)) {
        const { vpc, address, container } = each;
        const cluster = vpcs[vpc]!.name;
        await ensureLoadBalancer({ cluster, name: container, address, ports: classicPortsOf(account, each) });
    }
}

/** How the API's targets are checked: AWS' checks have TLS 1.2 at most. */
function checkOf({ resources }: Account, loadBalancer: string): ApiCheck {
    const { listeners, targetGroups } = resources;
    const api = Object.values(listeners).find((each) => each.loadBalancer === loadBalancer && each.port === apiPort);
    return api && targetGroups[api.targetGroup]?.checksPort ? "tcp" : "tls-1.2";
}

/** Whether targets are checked as apiservers. */
function isApi({ port, targetPort, check }: BalancedPort): boolean {
    return port === apiPort && targetPort === apiPort && check === undefined;
}

/** What a network load balancer listens on, and its targets. */
export function portsOf(account: Account, loadBalancer: string): BalancedPort[] {
    const { resources } = account;
    const { listeners, targetGroups, loadBalancers } = resources;
    const balancer = loadBalancers[loadBalancer]!;
    return Object.values(listeners)
        .filter((each) => each.loadBalancer === loadBalancer)
        .sort((a, b) => a.port - b.port)
        .map(({ port, targetGroup }) => {
            const { port: targetPort, check, pace, hasProxyProtocol = false } = targetGroups[targetGroup]!;
            const whom = admission(account, balancer, port);
            const header = hasProxyProtocol && { sendsProxyProtocol: true };
            return { port, targetPort, check, pace, ...header, ...whom, backends: membersOf(resources, targetGroup) };
        });
}

/** The same for a classic load balancer, which checks only one of its ports. */
function classicPortsOf(account: Account, balancer: ClassicLoadBalancer): BalancedPort[] {
    const [, checked, path] = /^HTTPS?:(\d+)(\/.*)$/.exec(balancer.check.target) ?? [];
    const check = checked && path ? { port: Number(checked), path } : undefined;
    const backends = balancer.instances.flatMap((id) => account.resources.instances[id]?.address ?? []).sort();
    return balancer.ports.map(({ port, instancePort }) => {
        return { port, targetPort: instancePort, check, ...admission(account, balancer, port), backends };
    });
}

/** Addresses of the instances that were attached, and of those of attached Auto Scaling groups. */
export function membersOf({ targets, instances, autoScalingGroups }: Resources, arn: string): string[] {
    const attached = Object.values(targets)
        .filter(({ targetGroup }) => targetGroup === arn)
        .flatMap(({ instance }) => instances[instance] ?? []);
    const scaled = Object.values(instances).filter(
        ({ createdBy }) => createdBy !== undefined && autoScalingGroups[createdBy]?.targetGroups.includes(arn),
    );
    return [...attached, ...scaled].map(({ address }) => address).sort();
}

/** Every load balancer, of both kinds. */
export function balancersOf({ loadBalancers, classicLoadBalancers }: Resources): Balancer[] {
    return [...Object.values(loadBalancers), ...Object.values(classicLoadBalancers)];
}
