import { met } from "../shared/behaviours";
import type { Deletion } from "../shared/simulated";
import type { Account, Kinds } from "./account";
import type { Balancer } from "./balancers";

type Interface = Kinds["interfaces"];

/** How long the provider repeats the deletion of a security group; subnets have 5 minutes more. Unit: seconds. */
const defaultLimit = 900;

/**
 * A deleted load balancer's network interfaces stay in its subnets for a while, and use its security groups. Source:
 * "Delete a Network Load Balancer", about interfaces that are removed asynchronously.
 */
export function leaveInterfaces(account: Account, { name, vpc, subnets, groups }: Balancer): void {
    const seconds = account.state.interfaceSeconds ?? 5;
    if (seconds === 0) return;
    const until = new Date(account.now + seconds * 1000).toISOString();
    account.put("interfaces", account.newId("eni"), { name: `ELB ${name}`, vpc, subnets, groups, until });
}

/** Interfaces that still exist; others are forgotten. */
export function interfacesOf(account: Account, isOne: (each: Interface) => boolean): Interface[] {
    const now = new Date(account.now).toISOString();
    // Accounts of earlier commits have none.
    for (const [id, { until }] of Object.entries(account.resources.interfaces ?? {})) {
        if (until <= now) account.remove("interfaces", id);
    }
    return Object.values(account.resources.interfaces ?? {}).filter(isOne);
}

/** Waits until none is left, as Pulumi's provider does: it repeats a deletion that EC2 refuses, until its time is up. */
export async function waitForInterfaces(
    account: Account,
    what: string,
    isOne: (each: Interface) => boolean,
    { timeout = 0 }: Partial<Deletion> = {},
): Promise<void> {
    const limit = timeout || defaultLimit;
    for (;;) {
        const left = interfacesOf(account, isOne);
        if (left.length === 0) return;
        met("left interfaces");
        const seconds = Math.max(...left.map(({ until }) => (Date.parse(until) - account.now) / 1000));
        account.wait(Math.min(seconds, limit));
        if (seconds > limit) account.refuseWhileUsed(what, left);
    }
}
