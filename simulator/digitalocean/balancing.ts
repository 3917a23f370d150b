import { ensureLoadBalancer } from "../../machines";
import { inTurn } from "../cloud/in-turn";
import type { Account, LoadBalancer, Resources } from "./account";

const apiPort = 6443;

/** Tells every load balancer the droplets that are there: one that is deleted leaves it. */
export function balanceAnew(account: Account): Promise<void> {
    return inTurn(() => balanceAll(account.resources));
}

async function balanceAll(resources: Resources): Promise<void> {
    for (const balancer of Object.values(resources.loadBalancers)) {
        const { vpc, address, ports, check, allowed } = balancer;
        const backends = backendsOf(resources, balancer);
        const others = ports.filter(({ port }) => port !== apiPort);
        await ensureLoadBalancer({
            cluster: resources.vpcs[vpc]!.name,
            name: containerOf(balancer),
            address,
            ...(others.length < ports.length && { backends, allowed }),
            ports: others.map((each) => ({ ...each, backends, check, allowed })),
        });
    }
}

/** Addresses of the droplets that it was told, or that have its tag. */
export function backendsOf({ droplets }: Resources, { vpc, droplets: ids, tag }: LoadBalancer): string[] {
    const told = ids.flatMap((id) => droplets[id] ?? []);
    const tagged = Object.values(droplets).filter((each) => each.vpc === vpc && tag && each.tags.includes(tag));
    return [...told, ...tagged].map(({ address }) => address);
}

/** Name of its container: that of the machines' own API is the default. */
export function containerOf({ name, ports }: LoadBalancer): string | undefined {
    return ports.some(({ port }) => port === apiPort) ? undefined : `${name}.service`;
}
