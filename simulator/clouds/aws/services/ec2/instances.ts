import { consoleLog, powerOff, powerOn } from "../../../../../machines";
import type { Account, Instance, TerminatedInstance } from "../../account";
import { isDescribed } from "../../eventually";
import { architectureOf, instanceTypes, rootDeviceOfImage } from "../../offers";
import { type Action, readAction } from "../query/action";
import { textOf, textsOf } from "../query/params";
import { filtered, tagSet, tagValues } from "./filters";

const describeInstanceTypes = readAction("ec2:DescribeInstanceTypes", ({ params }) => {
    const asked = textsOf(params, "InstanceType");
    const unknown = asked.find((type) => !instanceTypes[type]);
    if (unknown !== undefined) throw new Error(`InvalidInstanceType: The instance type '${unknown}' is not simulated`);
    const found = Object.entries(instanceTypes).filter(([type]) => asked.length === 0 || asked.includes(type));
    return {
        instanceTypeSet: found.map(([instanceType, { cpus, memory }]) => ({
            instanceType,
            vCpuInfo: { defaultVCpus: cpus },
            memoryInfo: { sizeInMiB: memory },
            processorInfo: { supportedArchitectures: [architectureOf(instanceType)] },
        })),
    };
});

const describeLaunchTemplateVersions = readAction("ec2:DescribeLaunchTemplateVersions", ({ account, params }) => {
    const name = textOf(params, "LaunchTemplateName");
    const templates = Object.entries(account.resources.launchTemplates);
    const [id, { versions }] =
        templates.find(([, each]) => each.name === name) ??
        fail(`InvalidLaunchTemplateName.NotFoundException: The launch template ${name} does not exist`);
    const asked = textsOf(params, "LaunchTemplateVersion");
    const unknown = asked.find((version) => !versions[Number(version) - 1]);
    if (unknown !== undefined) {
        fail(`InvalidLaunchTemplateId.VersionNotFound: Could not find version ${unknown} of ${name}`);
    }
    return {
        launchTemplateVersionSet: asked.map((version) => ({
            launchTemplateId: id,
            launchTemplateName: name,
            versionNumber: version,
            launchTemplateData: said(versions[Number(version) - 1]!),
        })),
    };
});

function said({ ami, instanceType }: { readonly ami: string; readonly instanceType: string }) {
    return { imageId: ami, instanceType };
}

function fail(message: string): never {
    throw new Error(message);
}

/** Describes the instances that a group would launch. */
export const launchActions: Readonly<Record<string, Action>> = {
    DescribeInstanceTypes: describeInstanceTypes,
    DescribeLaunchTemplateVersions: describeLaunchTemplateVersions,
};

/** Bytes of a console that EC2 keeps, from the end. */
const mostBytes = 64 * 1024;

function instanceOf(account: Account, id: string) {
    const found = account.resources.instances[id];
    if (!found) throw new Error(`InvalidInstanceID.NotFound: The instance ID '${id}' does not exist`);
    return found;
}

/** Console output of an instance's machine; always the latest, as for Nitro instances on request. */
const getConsoleOutput: Action = {
    needs: ({ account, params }) => {
        const id = textOf(params, "InstanceId");
        const { tags } = instanceOf(account, id);
        return [{ action: "ec2:GetConsoleOutput", on: account.arn("ec2", `instance/${id}`), tags }];
    },
    run: async ({ account, params }) => {
        const instanceId = textOf(params, "InstanceId");
        const { machine, vpc } = instanceOf(account, instanceId);
        const shown = Buffer.from(await consoleLog(account.find("vpcs", vpc).name, machine));
        const output = shown.subarray(-mostBytes).toString("base64");
        return { instanceId, output, timestamp: new Date().toISOString() };
    },
};

export const consoleActions: Readonly<Record<string, Action>> = { GetConsoleOutput: getConsoleOutput };

/** EC2's codes of instance states. */
const codes = { pending: 0, running: 16, "shutting-down": 32, terminated: 48, stopped: 80 } as const;

/** How long a terminated instance is still described. */
const terminatedMilliseconds = 3_600_000;

const describeInstances = readAction("ec2:DescribeInstances", ({ account, params }) => {
    const { subnets } = account.resources;
    const all = Object.entries(described(account)).filter(([id]) => isDescribed(account, id));
    const instances = Object.fromEntries(all);
    const ids = textsOf(params, "InstanceId");
    const unknown = ids.find((id) => !instances[id]);
    if (unknown !== undefined) {
        throw new Error(`InvalidInstanceID.NotFound: The instance ID '${unknown}' does not exist`);
    }
    const asked = Object.entries(instances).filter(([id]) => ids.length === 0 || ids.includes(id));
    const found = filtered(params, asked, ([id, each]) => ({
        "instance-id": id,
        "instance-state-name": stateOf(each),
        "private-dns-name": isThere(each) ? privateName(account, id) : [],
        "private-ip-address": isThere(each) ? each.address : [],
        "vpc-id": isThere(each) ? each.vpc : [],
        "subnet-id": isThere(each) ? each.subnet : [],
        "availability-zone": (isThere(each) && subnets[each.subnet]?.zone) || [],
        ...tagValues(each.tags),
    }));
    return {
        reservationSet: found.map(([id, each]) => ({
            reservationId: `r-${id.slice(2)}`,
            instancesSet: [
                {
                    instanceId: id,
                    instanceState: { code: codes[stateOf(each)], name: stateOf(each) },
                    ...(isThere(each) && instanceSaid(account, id, each)),
                    tagSet: tagSet(each.tags),
                },
            ],
        })),
    };
});

type Described = Instance | TerminatedInstance;

function isThere(instance: Described): instance is Instance {
    return !("time" in instance);
}

function stateOf(instance: Described): keyof typeof codes {
    return isThere(instance) ? (instance.state ?? "running") : "terminated";
}

/** Existing instances, and recently terminated ones. */
function described({ resources: { instances, terminatedInstances = {} } }: Account): Record<string, Described> {
    const since = new Date(Date.now() - terminatedMilliseconds).toISOString();
    const lately = Object.entries(terminatedInstances).filter(([, { time }]) => time >= since);
    return { ...Object.fromEntries(lately), ...instances };
}

function instanceSaid(account: Account, id: string, instance: Instance) {
    const { address, address6, groups, spec, subnet, vpc, launched } = instance;
    const { amis, resources } = account.state;
    const { securityGroups, subnets } = resources;
    const own = Object.values(resources.volumeAttachments).filter((each) => each.instance === id);
    return {
        imageId: spec?.ami,
        privateDnsName: privateName(account, id),
        instanceType: spec?.instanceType,
        launchTime: launched,
        placement: { availabilityZone: subnets[subnet]?.zone, tenancy: "default" },
        privateIpAddress: address,
        ...(address6 && { ipv6Address: address6 }),
        subnetId: subnet,
        vpcId: vpc,
        // Device of its root volume, which is not described otherwise here.
        rootDeviceName: rootDeviceOfImage(amis[spec?.ami ?? ""] ?? ""),
        rootDeviceType: "ebs",
        blockDeviceMapping: own.map(({ device, volume, since, state = undefined }) => ({
            deviceName: device,
            ebs: { volumeId: volume, status: state ?? "attached", attachTime: since, deleteOnTermination: false },
        })),
        groupSet: groups.map((groupId) => ({ groupId, groupName: securityGroups[groupId]?.name })),
        networkInterfaceSet: [
            {
                networkInterfaceId: `eni-${id.slice(2)}`,
                subnetId: subnet,
                vpcId: vpc,
                status: "in-use",
                privateIpAddress: address,
                attachment: { deviceIndex: 0, status: "attached" },
                privateIpAddressesSet: [{ privateIpAddress: address, primary: true }],
                ipv6AddressesSet: address6 ? [{ ipv6Address: address6, isPrimaryIpv6: false }] : [],
            },
        ],
    };
}

/** The host name of an instance in its VPC, of the type `resource-name`. */
export function privateName({ state: { region } }: Account, id: string): string {
    return `${id}.${region}.compute.internal`;
}

/** The service reports no topology for any simulated instance type. */
const describeInstanceTopology = readAction("ec2:DescribeInstanceTopology", () => ({ instanceSet: [] }));

/** Only requests it. One that does not shut down within minutes loses its power, at once here; terminated ones are ignored. */
const rebootInstances: Action = {
    needs: ({ account, params }) =>
        textsOf(params, "InstanceId").map((id) => {
            const { [id]: found } = described(account);
            if (!found) throw new Error(`InvalidInstanceID.NotFound: The instance ID '${id}' does not exist`);
            return { action: "ec2:RebootInstances", on: account.arn("ec2", `instance/${id}`), tags: found.tags };
        }),
    run: ({ account, params }) => {
        const ids = textsOf(params, "InstanceId");
        const all = ids.flatMap((id) => account.resources.instances[id] ?? []);
        if (all.some(({ state }) => state === "stopped" || state === "pending")) {
            throw new Error(`IncorrectState: The instance is not in a state from which it can be rebooted`);
        }
        for (const { vpc, machine } of all) {
            const { name } = account.find("vpcs", vpc);
            // A machine that is off already starts, too.
            const cycle = powerOff(name, machine).catch(() => undefined);
            cycle.then(() => powerOn(name, machine)).catch((error) => console.error(`${machine}: ${error}`));
        }
        return { return: true };
    },
};

export const instanceActions: Readonly<Record<string, Action>> = {
    DescribeInstances: describeInstances,
    RebootInstances: rebootInstances,
    DescribeInstanceTopology: describeInstanceTopology,
};
