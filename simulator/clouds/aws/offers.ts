import { met } from "../shared/behaviours";
import type { Tree } from "../shared/tree";
import type { Account, Instance, PrivateZone } from "./account";

type Architecture = "x86_64" | "arm64";

/** Architecture of an instance type, from its name. */
export function architectureOf(instanceType: string): Architecture {
    return /^(a1|[a-z]+\d+[a-z]*g[a-z]*)\./.test(instanceType) ? "arm64" : "x86_64";
}

/** Architecture of an AMI, from its name in the simulation. */
export function architectureOfImage(name: string): Architecture {
    return /-(arm64|aarch64)\b/.test(name) ? "arm64" : "x86_64";
}

/** How an AMI is configured, from its name in the simulation. */
export function osOfImage(name: string): "ignition" | "cloud-init" {
    return /ubuntu/i.test(name) ? "cloud-init" : "ignition";
}

/**
 * Whether an AMI includes containerd, from its name in the simulation: a stock distribution that uses cloud-init does
 * not.
 */
export function hasRuntime(name: string): boolean {
    return osOfImage(name) === "ignition" || name.includes("containerd");
}

/** Device name of an AMI's root volume. */
export function rootDeviceOfImage(name: string): string {
    return /ubuntu/i.test(name) ? "/dev/sda1" : "/dev/xvda";
}

/** Fedora's streams, by the third number of a version. Source: Fedora CoreOS' documentation of versions. */
const streams: Readonly<Record<string, string>> = { 1: "next", 2: "testing", 3: "stable" };

/** A publisher's description of an AMI, by its name in the simulation. */
export function descriptionOfImage(name: string): string {
    const [, version = "", stream = "", cpu = ""] = /^fedora-coreos-(\d+\.\d+\.(\d)\.\d+)-(\w+)$/.exec(name) ?? [];
    return version ? `Fedora CoreOS ${streams[stream]} ${version} ${cpu}` : name;
}

interface Size {
    readonly cpus: number;
    /** Unit: MiB. */
    readonly memory: number;
}

/** Instance types that the simulated EC2 describes. Source: Amazon EC2 instance types. */
export const instanceTypes: Readonly<Record<string, Size>> = {
    "t3.small": { cpus: 2, memory: 2048 },
    "t3.medium": { cpus: 2, memory: 4096 },
    "t3.large": { cpus: 2, memory: 8192 },
    "t3a.medium": { cpus: 2, memory: 4096 },
    "t4g.medium": { cpus: 2, memory: 4096 },
    "m5.large": { cpus: 2, memory: 8192 },
    "m6g.large": { cpus: 2, memory: 8192 },
    "c5.large": { cpus: 2, memory: 4096 },
};

interface SpotLoss {
    /** Seconds between the notice and the interruption. @default 120, as on EC2 */
    readonly notice?: number;
    /** Whether a rebalance recommendation precedes it, which EC2 does not always send. @default false */
    readonly isRecommended?: boolean;
}

/** Interrupts a spot instance as EC2 does: a notice, then a shutdown when its time is up. */
export function loseSpot(account: Account, id: string, { notice = 120, isRecommended = false }: SpotLoss = {}): void {
    requireSpot(account, id);
    met("lost instance");
    const now = new Date();
    const time = seconds(new Date(now.getTime() + notice * 1000));
    const interruption = { interruption: { action: "terminate" as const, time } };
    account.change("instances", id, (instance) => ({ ...instance, ...interruption }));
    if (isRecommended) recommendRebalance(account, id);
}

/** Sends a rebalance recommendation to a spot instance. */
export function recommendRebalance(account: Account, id: string): void {
    requireSpot(account, id);
    const rebalance = { noticeTime: seconds(new Date()) };
    account.change("instances", id, (instance) => ({ ...instance, rebalance }));
}

/**
 * Makes an instance fail a status check: of its host (`system`) or of itself. A group replaces it. EC2 moves others to
 * another host only because of the former, and not all types: here nothing happens.
 */
export function failStatusCheck(account: Account, id: string, check: "system" | "instance"): void {
    account.find("instances", id);
    met("failed status check");
    account.change("instances", id, (instance) => ({ ...instance, failedCheck: check }));
}

function requireSpot(account: Account, id: string): void {
    if (!account.find("instances", id).isSpot) throw new Error(`only a spot instance can be interrupted (got ${id})`);
}

/** What the metadata service reports to an instance about that; other paths do not exist. */
export function spotTree({ interruption, rebalance }: Instance): Tree {
    return {
        ...(interruption && {
            spot: { "instance-action": JSON.stringify(interruption), "termination-time": interruption.time },
        }),
        ...(rebalance && { events: { recommendations: { rebalance: JSON.stringify(rebalance) } } }),
    };
}

/** Without milliseconds, as in the service's timestamps. */
function seconds(time: Date): string {
    return time.toISOString().replace(/\.\d+/, "");
}

/** Name servers of every public hosted zone. */
export const publicNameServers = ["ns-1.awsdns-01.org", "ns-2.awsdns-02.net"] as const;

/**
 * Name of a hosted zone and ids of the VPCs that resolve it, `undefined` if it is public. Throws if it does not exist.
 */
export function zoneOf(account: Account, id: string): { readonly name: string; readonly vpcs?: readonly string[] } {
    const name = publicZones(account)[id];
    const zone = privateZones(account)[id] ?? (name === undefined ? undefined : { name });
    if (!zone) throw new Error(`NoSuchHostedZone: No hosted zone found with ID: ${id}`);
    return zone;
}

/** Names of the account's public hosted zones, by id. */
export function publicZones({ state: { zones, resources } }: Account): Record<string, string> {
    const created = Object.entries(resources.hostedZones).filter(([, { vpcs }]) => vpcs.length === 0);
    return { ...zones, ...Object.fromEntries(created.map(([id, { name }]) => [id, name])) };
}

/** The account's private hosted zones, by id, each with every VPC that resolves it. */
export function privateZones(account: Account): Record<string, PrivateZone> {
    const { privateZones: brought, resources } = account.state;
    const created = Object.entries(resources.hostedZones).filter(([, { vpcs }]) => vpcs.length > 0);
    return Object.fromEntries(
        [...Object.entries(brought ?? {}), ...created].map(([id, { name, vpcs }]) => {
            const more = Object.values(resources.zoneAssociations).filter(({ zone }) => zone === id);
            return [id, { name, vpcs: [...vpcs, ...more.map(({ vpc }) => vpc)] }];
        }),
    );
}

/** Whether EC2 offers an instance type in a zone, by its name. */
export function isOffered({ state: { region, withheldTypes = [] } }: Account, zone: string, type: string): boolean {
    return !withheldTypes.some((each) => region + each.zone === zone && (each.instanceType ?? type) === type);
}

/** Source: EC2's `DescribeInstanceTypes` with `free-tier-eligible`, for accounts since July 2025. */
const onFreePlan = ["t3.micro", "t3.small", "t4g.micro", "t4g.small", "c7i-flex.large", "m7i-flex.large"];

/** What RunInstances refuses for good, of an instance or of one of a group: the type in the zone, or in the account. */
export function requireOffered(account: Account, zone: string, type: string): void {
    const { region, zoneLetters = ["a", "b", "c"], isOnFreePlan } = account.state;
    if (isOnFreePlan && !onFreePlan.includes(type)) {
        throw new Error(
            "InvalidParameterCombination: The specified instance type is not eligible for Free Tier. For a list of Free Tier instance types, run 'describe-instance-types' with the filter 'free-tier-eligible=true'.",
        );
    }
    if (isOffered(account, zone, type)) return;
    met("no capacity");
    const others = zoneLetters.map((letter) => region + letter).filter((each) => isOffered(account, each, type));
    throw new Error(
        `Unsupported: Your requested instance type (${type}) is not supported in your requested Availability Zone (${zone}). Please retry your request by not specifying an Availability Zone or choosing ${others.join(", ")}.`,
    );
}
