import { overlaps } from "../../../machines";
import type { Account } from "./account";
import { rulesAt, sourceAddress } from "./admission";
import { membersOf } from "./balancing";
import { resolved } from "./names";

/**
 * Why an instance, or a pod on it, cannot rely on connecting to a load balancer by a name; `undefined` if it can.
 *
 * Packets keep the VPC's addresses and groups only on the way to an internal load balancer. Source: "Troubleshoot your
 * Network Load Balancer", about connections from a target to its load balancer.
 */
export function noWayByName(account: Account, id: string, name: string, port: number): string | undefined {
    const instance = account.find("instances", id);
    const { resources } = account;
    const target = resolved(account, instance.vpc, name)?.target;
    const found = Object.entries(resources.loadBalancers).find(([, { dnsName }]) => dnsName === target);
    if (!found) return `${instance.vpc} does not resolve ${name}`;
    const [arn, balancer] = found;
    const isInternal = balancer.scheme === "internal";
    if (isInternal && balancer.vpc !== instance.vpc) return `${balancer.name} is internal to ${balancer.vpc}`;
    const address = isInternal ? instance.address : sourceAddress(account, instance);
    if (address === undefined) return `${id} has no way to the internet, where ${balancer.name} is`;
    const groups = isInternal ? instance.groups : [];
    const isAdmitted = rulesAt(resources, balancer.groups, port).some(({ peer, cidr = "" }) =>
        peer ? groups.includes(peer) : !cidr.includes(":") && overlaps(`${address}/32`, cidr),
    );
    if (!isAdmitted) return `${balancer.name} does not admit ${address}, the address of ${id} there`;
    const listener = Object.values(resources.listeners).find((each) => each.loadBalancer === arn && each.port === port);
    if (!listener) return `${balancer.name} does not listen on ${port}`;
    const { targetGroup } = listener;
    const isTarget = membersOf(resources, targetGroup).includes(instance.address);
    return isTarget && resources.targetGroups[targetGroup]!.preservesClient
        ? `${balancer.name} may choose ${id} itself, which then gets no answer from its own address`
        : undefined;
}
