import type { Tree } from "../shared/tree";
import type { Account, Instance, PrivateZone } from "./account";

type Architecture = "x86_64" | "arm64";

/** Of an instance type, as its name tells. */
export function architectureOf(instanceType: string): Architecture {
    return /^(a1|[a-z]+\d+[a-z]*g[a-z]*)\./.test(instanceType) ? "arm64" : "x86_64";
}

/** Of an AMI, as its name tells here. */
export function architectureOfImage(name: string): Architecture {
    return /-(arm64|aarch64)\b/.test(name) ? "arm64" : "x86_64";
}

/** How what an AMI has takes its configuration, as its name tells here. */
export function osOfImage(name: string): "ignition" | "cloud-init" {
    return /ubuntu/i.test(name) ? "cloud-init" : "ignition";
}

/** Whether it has containerd, as its name tells here: a distribution's own that takes cloud-init has none. */
export function hasRuntime(name: string): boolean {
    return osOfImage(name) === "ignition" || name.includes("containerd");
}

/** Where what an AMI has is its root volume. */
export function rootDeviceOfImage(name: string): string {
    return /ubuntu/i.test(name) ? "/dev/sda1" : "/dev/xvda";
}

/** Fedora's, by the third number of a version. Source: Fedora CoreOS' documentation of versions. */
const streams: Readonly<Record<string, string>> = { 1: "next", 2: "testing", 3: "stable" };

/** What an AMI's publisher says of it, by its name here. */
export function descriptionOfImage(name: string): string {
    const [, version = "", stream = "", cpu = ""] = /^fedora-coreos-(\d+\.\d+\.(\d)\.\d+)-(\w+)$/.exec(name) ?? [];
    return version ? `Fedora CoreOS ${streams[stream]} ${version} ${cpu}` : name;
}

interface Size {
    readonly cpus: number;
    /** Unit: MiB. */
    readonly memory: number;
}

/** Instance types that EC2 tells of here. Source: Amazon EC2 instance types. */
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
    /** From the notice until the instance is taken away. Unit: seconds. @default 120, as on EC2 */
    readonly notice?: number;
    /** Whether it is told, too, that this is likely: EC2 may, and may not. @default false */
    readonly isRecommended?: boolean;
}

/** Takes a spot instance away, as EC2 does: a notice, and when its time has come a shutdown. */
export function loseSpot(account: Account, id: string, { notice = 120, isRecommended = false }: SpotLoss = {}): void {
    requireSpot(account, id);
    const now = new Date();
    const time = seconds(new Date(now.getTime() + notice * 1000));
    const told = { interruption: { action: "terminate" as const, time } };
    account.change("instances", id, (instance) => ({ ...instance, ...told }));
    if (isRecommended) recommendRebalance(account, id);
}

/** Tells that a spot instance is likely to be taken away. */
export function recommendRebalance(account: Account, id: string): void {
    requireSpot(account, id);
    const rebalance = { noticeTime: seconds(new Date()) };
    account.change("instances", id, (instance) => ({ ...instance, rebalance }));
}

function requireSpot(account: Account, id: string): void {
    if (!account.find("instances", id).isSpot) throw new Error(`only a spot instance is taken away, got ${id}`);
}

/** What the metadata service tells an instance of that; what is not so is not there. */
export function spotTree({ interruption, rebalance }: Instance): Tree {
    return {
        ...(interruption && {
            spot: { "instance-action": JSON.stringify(interruption), "termination-time": interruption.time },
        }),
        ...(rebalance && { events: { recommendations: { rebalance: JSON.stringify(rebalance) } } }),
    };
}

/** Without milliseconds, as the service tells times. */
function seconds(time: Date): string {
    return time.toISOString().replace(/\.\d+/, "");
}

/** Name of a hosted zone, and ids of the VPCs that resolve it, `undefined` if everybody does. Throws if it is not there. */
export function zoneOf(account: Account, id: string): { readonly name: string; readonly vpcs?: readonly string[] } {
    const { zones } = account.state;
    const zone = privateZones(account)[id] ?? (zones[id] === undefined ? undefined : { name: zones[id] });
    if (!zone) throw new Error(`NoSuchHostedZone: No hosted zone found with ID: ${id}`);
    return zone;
}

/** The account's private hosted zones, by id, each with every VPC that resolves it. */
export function privateZones(account: Account): Record<string, PrivateZone> {
    const { privateZones: brought, resources } = account.state;
    const all = Object.entries({ ...brought, ...resources.hostedZones });
    return Object.fromEntries(
        all.map(([id, { name, vpcs }]) => {
            const more = Object.values(resources.zoneAssociations).filter(({ zone }) => zone === id);
            return [id, { name, vpcs: [...vpcs, ...more.map(({ vpc }) => vpc)] }];
        }),
    );
}
