import { setTimeout as sleep } from "node:timers/promises";
import { type CloudPlace, createMachine, destroyMachine, overlaps, powerOn, shutDown } from "../../../machines";
import { simulatorCa } from "../services/simulator-ca";
import { startServices } from "../services/start";
import { met } from "../shared/behaviours";
import { rulesetOf } from "../shared/packet-filter";
import { HalfDone } from "../shared/simulated";
import type { Account, Instance, InstanceSpec, Subnet } from "./account";
import { detachAll } from "./attaching";
import { balancersOf, rebalance } from "./balancing";
import { awaitCapacity } from "./eventually";
import { architectureOf, architectureOfImage, hasRuntime, instanceTypes, osOfImage } from "./offers";
import { applySecurityGroups, filterOf } from "./rules";
import { reachesS3 } from "./ways-out";

export interface Launch {
    readonly spec: InstanceSpec;
    readonly subnet: string;
    /** The Name tag. */
    readonly name: string;
    /** Whether it gets a public address. @default as its subnet has it */
    readonly isPublic?: boolean;
    /** @default the next free one */
    readonly address?: string;
    /** Name of the local machine. @default the instance's id, which is its host name */
    readonly machine?: string;
    /** The Auto Scaling group that launches it. */
    readonly group?: { readonly createdBy: string; readonly createdFrom: string; readonly isSpot: boolean };
}

/** Boots a local machine for an instance and returns its id. It has no public address. */
export async function launch(
    account: Account,
    { spec, subnet: subnetId, name, isPublic, machine, group, ...given }: Launch,
) {
    const subnet = account.find("subnets", subnetId);
    const { name: network } = account.find("vpcs", subnet.vpc);
    requireSpec(account, spec);
    requireGroups(account, spec.groups, subnet.vpc);
    requireMetadataTags(account, spec);
    if (!reachesS3(account, subnetId)) {
        throw new Error(`an instance in ${subnetId}, which has no route to S3, is not simulated`);
    }
    if (architectureOf(spec.instanceType) !== "x86_64") {
        throw new Error(`an instance of another architecture is not simulated (got ${spec.instanceType})`);
    }
    const id = account.newId("i");
    const created = { name, machine: machine ?? id, vpc: subnet.vpc, subnet: subnetId, groups: spec.groups };
    if (account.all("instances").some((other) => other.machine === created.machine && other.vpc === subnet.vpc)) {
        throw new Error(`two instances with the same name are not simulated (got ${created.machine})`);
    }
    const { given: count = 0, cidr } = subnet;
    const taken = [...account.all("instances"), ...balancersOf(account.resources)].map((each) => each.address);
    if (given.address !== undefined) requireFree(given.address, cidr, taken);
    const address = given.address ?? freeAddress(cidr, taken, count);
    account.put("subnets", subnetId, { ...subnet, given: count + 1 });
    const address6 = ipv6AddressIn(subnet, count);
    const launched = new Date().toISOString();
    const tags = { ...spec.tags, ...(group && { "aws:autoscaling:groupName": group.createdBy }) };
    const publicAddress = (isPublic ?? subnet.isPublic) ? newPublicAddress(account) : undefined;
    const instance: Instance = {
        ...created,
        address,
        ...(address6 && { address6 }),
        ...(publicAddress && { publicAddress }),
        spec,
        launched,
        tags,
        ...group,
    };
    account.put("instances", id, group ? { ...instance, state: "pending" } : instance);
    account.appear(id);
    const image = account.state.amis[spec.ami]!;
    await startServices("aws", account.path).ready;
    const packetFilter = rulesetOf(filterOf(account.resources, instance));
    const own = {
        cluster: network,
        name: created.machine,
        address,
        ...(address6 && { address6 }),
        os: osOfImage(image),
        hasRuntime: hasRuntime(image),
    };
    await sleep((account.state.machineSeconds ?? 0) * 1000);
    await createMachine({ ...own, cloud: place(spec), packetFilter });
    account.change("instances", id, (now) => ({ ...now, state: undefined }));
    await applySecurityGroups(account);
    return { id, address, zone: subnet.zone };
}

/** As on EC2, the instance shuts down first, so its kubelet ends its pods before it is terminated. */
export async function end(account: Account, id: string): Promise<void> {
    const { vpc, machine } = account.find("instances", id);
    account.change("instances", id, (now) => ({ ...now, state: "shutting-down" }));
    await shutDown(account.find("vpcs", vpc).name, machine);
    await terminate(account, id);
}

/** Changes the instance type as EC2 does: the instance shuts down and starts with the new type. */
export async function changeType(account: Account, id: string, instanceType: string): Promise<void> {
    const { vpc, subnet, machine, spec } = account.find("instances", id);
    if (!spec) throw new Error(`it is unknown what ${id} was launched from`);
    const { zone } = account.find("subnets", subnet);
    const changed = { ...spec, instanceType };
    const { name: network } = account.find("vpcs", vpc);
    await shutDown(network, machine);
    requireSpec(account, changed);
    account.change("instances", id, (now) => ({ ...now, spec: changed, state: "stopped" }));
    try {
        awaitCapacity(account, zone, instanceType, { doing: `starting EC2 Instance (${id})`, call: "StartInstances" });
    } catch (error) {
        // The instance stays stopped.
        throw new HalfDone((error as Error).message);
    }
    await powerOn(network, machine);
    account.change("instances", id, (now) => ({ ...now, state: undefined }));
}

/** The machine's place in the network. */
function place({ metadataHops = 1 }: InstanceSpec): CloudPlace {
    return { platform: "aws", hops: metadataHops, authority: simulatorCa().certificate };
}

/** Without a shutdown: everything around it is removed as well. */
export async function terminate(account: Account, id: string): Promise<void> {
    const { vpc, machine, name, tags, waiting } = account.find("instances", id);
    await detachAll(account, id);
    await destroyMachine(account.find("vpcs", vpc).name, machine);
    const wasReleased = waiting?.isReleased ?? false;
    account.put("terminatedInstances", id, { name, tags, time: new Date().toISOString(), wasReleased });
    account.remove("instances", id);
    await rebalance(account);
    await applySecurityGroups(account);
}

/** What the service rejects when an instance, or an Auto Scaling group that would launch it, is created. */
export function requireSpec(account: Account, { ami, instanceType, profile, groups }: InstanceSpec): void {
    const called = account.state.amis[ami];
    if (!called) met("deprecated image");
    if (!called) throw new Error(`InvalidAMIID.NotFound: The image id '[${ami}]' does not exist`);
    const [expected, given] = [architectureOf(instanceType), architectureOfImage(called)];
    if (expected !== given) {
        throw new Error(
            `InvalidParameterValue: The architecture '${expected}' of ${instanceType} does not match '${given}' of ${ami}`,
        );
    }
    if (profile !== undefined && !account.resources.instanceProfiles[profile]) {
        throw new Error(`InvalidParameterValue: Invalid IAM Instance Profile name: ${profile}`);
    }
    for (const group of groups) account.find("securityGroups", group);
}

/** The quota of running on-demand instances, in vCPUs. Source: "Amazon EC2 instance type quotas". */
export function requireVcpus(account: Account, instanceType: string): void {
    const { vcpuLimit } = account.state;
    if (vcpuLimit === undefined) return;
    const cpus = (type = "") => instanceTypes[type]?.cpus ?? 2;
    const used = account.all("instances").reduce((sum, { spec }) => sum + cpus(spec?.instanceType), 0);
    if (used + cpus(instanceType) <= vcpuLimit) return;
    met("quota");
    throw new Error(
        `VcpuLimitExceeded: You have requested more vCPU capacity than your current vCPU limit of ${vcpuLimit} allows for the instance bucket that the specified instance type belongs to.`,
    );
}

/**
 * Tags in the metadata service are paths there. Found when an instance is launched: a launch template with the same is
 * accepted. Source: aws/karpenter-provider-aws#7012.
 */
export function requireMetadataTags(account: Account, { metadataTags, tags = {} }: InstanceSpec): void {
    const isOn = metadataTags === undefined ? account.state.hasMetadataTags === true : metadataTags === "enabled";
    const key = Object.keys(tags).find((each) => !/^[\w\-+=,.@:]{1,255}$/.test(each));
    if (!isOn || key === undefined) return;
    met("account default");
    throw new Error(
        `InvalidParameterValue: '${key}' is not a valid tag key. Tag keys must match pattern ([0-9a-zA-Z\\-_+=,.@:]{1,255}), and must not be a reserved name ('.', '..', '_index')`,
    );
}

/** What the service rejects as security groups of a network interface. Source: "Amazon VPC quotas". */
export function requireGroups(account: Account, groups: readonly string[], vpc: string): void {
    if (groups.length > 5) {
        throw new Error(
            "SecurityGroupsPerInterfaceLimitExceeded: The maximum number of security groups per interface has been reached",
        );
    }
    const other = groups.find((id) => account.find("securityGroups", id).vpc !== vpc);
    if (other === undefined) return;
    throw new Error(`InvalidParameter: Security group ${other} and subnet belong to different networks.`);
}

/** An instance gets one only from a subnet that assigns them. The first four addresses of a subnet are reserved. */
export function ipv6AddressIn(
    { ipv6Cidr, givesIpv6 }: Pick<Subnet, "ipv6Cidr" | "givesIpv6">,
    given: number,
): string | undefined {
    return ipv6Cidr && givesIpv6 ? ipv6Cidr.replace(/\/64$/, (given + 4).toString(16)) : undefined;
}

/** From a block for documentation, which no host has. Each start of an instance gets another one. */
function newPublicAddress(account: Account): string {
    const used = account.all("instances").map(({ publicAddress }) => publicAddress);
    const all = Array.from({ length: 254 }, (_, index) => `198.51.100.${index + 1}`);
    return all.find((each) => !used.includes(each))!;
}

/** What the service rejects as a chosen address. Source: EC2's error codes, "Subnet CIDR blocks". */
export function requireFree(address: string, cidr: string, taken: readonly string[]): void {
    if (!overlaps(cidr, `${address}/32`)) {
        throw new Error(`InvalidParameterValue: Address ${address} does not fall within the subnet's address range`);
    }
    const numberOf = (text: string) => text.split(".").reduce((sum, byte) => sum * 256 + Number(byte), 0);
    const [first = "", prefix] = cidr.split("/");
    const index = numberOf(address) - numberOf(first);
    if (index < 4 || index === 2 ** (32 - Number(prefix)) - 1) {
        throw new Error(`InvalidParameterValue: Address ${address} is in subnet's reserved address range`);
    }
    if (taken.includes(address)) throw new Error(`InvalidIPAddress.InUse: Address ${address} is in use.`);
}

/** AWS reserves the first four addresses of a subnet and the last one. */
function freeAddress(cidr: string, taken: readonly string[], given: number): string {
    const [first = "", prefix] = cidr.split("/");
    const count = Math.min(2 ** (32 - Number(prefix)), 256) - 5;
    const bytes = first.split(".").map(Number);
    for (let index = 0; index < count; index++) {
        const address = [...bytes.slice(0, 3), bytes[3]! + 4 + ((given + index) % count)].join(".");
        if (!taken.includes(address)) return address;
    }
    throw new Error(`InsufficientFreeAddressesInSubnet: ${cidr} has no free address`);
}
