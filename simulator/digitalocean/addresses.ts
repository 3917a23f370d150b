import { exec } from "../../machines";
import type { Vpc } from "./account";

/**
 * Host numbers of a VPC's first /24, whose machines' network is all that this computer can reach: the lower half is private,
 * and the upper one stands for the internet. The first ones are the host's and the mirror's.
 */
const droplets = { first: 10, count: 118 };
const firstPublic = 128;
const balancers = { first: firstPublic + droplets.count, count: 7 };

/** Where a droplet is, in its VPC and in the internet. */
export interface Addresses {
    readonly address: string;
    readonly publicAddress: string;
}

/** @param taken - addresses in VPCs that droplets have */
export function freeAddresses({ ipRange, given = 0 }: Vpc, taken: readonly string[]): Addresses {
    const { first, count } = droplets;
    const hosts = Array.from({ length: count }, (_, index) => (given + index) % count);
    const free = hosts.find((each) => !taken.includes(at(ipRange, first + each)));
    if (free === undefined) throw new Error(`more than ${count} droplets in a VPC are not simulated`);
    return { address: at(ipRange, first + free), publicAddress: at(ipRange, firstPublic + free) };
}

/** A load balancer's, in the internet. */
export function freeBalancerAddress({ ipRange }: Vpc, taken: readonly string[]): string {
    const { first, count } = balancers;
    const all = Array.from({ length: count }, (_, index) => at(ipRange, first + index));
    const free = all.find((address) => !taken.includes(address));
    if (!free) throw new Error("more than seven load balancers in a VPC are not simulated");
    return free;
}

/** Gives a machine its public address, from which it comes to others of the internet: until it reboots. */
export async function makePublic({ name, ipRange }: Vpc, machine: string, { publicAddress }: Addresses): Promise<void> {
    const route = `${at(ipRange, firstPublic)}/25 dev eth0 src ${publicAddress}`;
    const script = `ip address replace ${publicAddress}/32 dev eth0 && ip route replace ${route}`;
    await exec(name, machine, ["sh", "-c", script]);
}

function at(ipRange: string, host: number): string {
    return ipRange.replace(/\.\d+\/\d+$/, `.${host}`);
}
