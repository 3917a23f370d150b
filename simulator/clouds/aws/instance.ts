import type { Properties } from "../../plugins/protocol/serve";
import { type Rule, required, text } from "../shared/inputs";
import type { Simulated } from "../shared/simulated";
import { type Account, nameOf } from "./account";
import type { Tags } from "./created";
import { creditSpecification, isBlockDevice, requireCredits, requirePerformance } from "./ebs";
import { awaitCapacity, awaitProfile, awaitTerminated } from "./eventually";
import { changeType, launch, requireGroups, requireVcpus, terminate } from "./instances";
import { requireOffered } from "./offers";
import { applySecurityGroups, exactly, id, ids, is, isNumberOf, tags, yesOrNo } from "./rules";

/** Maximum size of user-data in bytes, before base64. */
export const maxUserData = 16 * 1024;

export const ami = text("an AMI's id", /^ami-[0-9a-f]{8,17}$/, required);
export const instanceType = text("an instance type", /^[a-z][a-z0-9-]*\.[a-z0-9-]+$/, required);

/** IMDSv2 only, hop limit one: clusters should not use less. */
export const metadataOptions: Rule = exactly(
    {
        httpEndpoint: is("enabled"),
        httpTokens: is("required"),
        httpPutResponseHopLimit: isNumberOf(1, 64),
        httpProtocolIpv6: is(undefined, "disabled", "enabled"),
        instanceMetadataTags: is(undefined, "disabled", "enabled"),
    },
    required,
);

const rootBlockDevice: Rule = {
    legal: "an encrypted volume, 1 to 65536 GiB",
    isLegal: (value: unknown) =>
        isBlockDevice(value, { encrypted: is(true), tags: (each) => tags.isLegal(each as never) }),
    isRequired: true,
};

const userData: Rule = {
    legal: `at most ${maxUserData} bytes`,
    isLegal: (value: unknown) => typeof value === "string" && Buffer.byteLength(value) <= maxUserData,
};

/** For bytes that are no text, such as those of gzip. */
export const userDataBase64: Rule = {
    legal: `base64 of at most ${maxUserData} bytes`,
    isLegal: (value: unknown) =>
        typeof value === "string" &&
        /^[A-Za-z0-9+/]*={0,2}$/.test(value) &&
        Buffer.from(value, "base64").length <= maxUserData,
};

/** An instance: a local machine named by its Name tag that boots from the user-data. */
export const instance: Simulated<Account> = {
    inputs: {
        ami,
        instanceType,
        subnetId: id("subnet", required),
        privateIp: text("an IPv4 address", /^\d+(\.\d+){3}$/),
        associatePublicIpAddress: yesOrNo,
        vpcSecurityGroupIds: ids("sg", required),
        iamInstanceProfile: text("an instance profile's name", /^[\w+=,.@-]{1,128}$/),
        metadataOptions,
        rootBlockDevice,
        creditSpecification,
        userData,
        userDataBase64,
        tags,
    },
    outputs: ["arn", "availabilityZone", "instanceState", "primaryNetworkInterfaceId", "privateDns", "privateIp"],
    async create(account, inputs: Properties) {
        requireRoot(inputs.rootBlockDevice);
        requireCredits(inputs.instanceType, inputs.creditSpecification);
        const name = nameOf(inputs.tags, "");
        if (name === "") throw new Error("an instance without a Name tag is not simulated");
        if ((inputs.userData === undefined) === (inputs.userDataBase64 === undefined)) {
            throw new Error("an instance without user-data, or with two, is not simulated");
        }
        const spec = {
            ami: String(inputs.ami),
            instanceType: String(inputs.instanceType),
            userData: bytesOf(inputs),
            ...(inputs.iamInstanceProfile !== undefined && { profile: String(inputs.iamInstanceProfile) }),
            groups: inputs.vpcSecurityGroupIds as string[],
            metadataHops: hopsOf(inputs),
            metadataTags: metadataTagsOf(inputs),
            tags: (inputs.tags ?? {}) as Tags,
        };
        awaitProfile(account, spec.profile);
        const { zone } = account.find("subnets", inputs.subnetId);
        requireOffered(account, zone, spec.instanceType);
        requireVcpus(account, spec.instanceType);
        awaitCapacity(account, zone, spec.instanceType);
        const created = await launch(account, {
            spec,
            subnet: String(inputs.subnetId),
            name,
            isPublic: inputs.associatePublicIpAddress as boolean | undefined,
            machine: name,
            ...(inputs.privateIp !== undefined && { address: String(inputs.privateIp) }),
        });
        return {
            id: created.id,
            outputs: {
                arn: account.arn("ec2", `instance/${created.id}`),
                availabilityZone: created.zone,
                instanceState: "running",
                privateIp: created.address,
                privateDns: `${created.id}.${account.state.region}.compute.internal`,
            },
        };
    },
    async update(account, instanceId, inputs) {
        const { tags: given, instanceType, rootBlockDevice, creditSpecification, vpcSecurityGroupIds } = inputs;
        requireRoot(rootBlockDevice);
        requireCredits(instanceType, creditSpecification);
        const before = account.find("instances", instanceId);
        if (nameOf(given, "") !== before.name) throw new Error("changing the name is not simulated");
        const groups = vpcSecurityGroupIds as string[];
        if (groups.join() !== before.groups.join()) {
            requireGroups(account, groups, before.vpc);
            account.change("instances", instanceId, (now) => ({ ...now, groups }));
            await applySecurityGroups(account);
        }
        if (instanceType !== before.spec?.instanceType) await changeType(account, instanceId, String(instanceType));
        return undefined;
    },
    async delete(account, instanceId) {
        const attached = account.all("volumeAttachments").filter(({ instance }) => instance === instanceId);
        await terminate(account, instanceId);
        awaitTerminated(
            account,
            instanceId,
            attached.map(({ volume }) => volume),
        );
    },
    now(account, instanceId) {
        const { groups, state = "running" } = account.find("instances", instanceId);
        // The provider looks whether there is an address, not whether there should be one.
        const hasNone = state === "stopped" && { associatePublicIpAddress: false };
        return { vpcSecurityGroupIds: groups, instanceState: state, ...hasNone };
    },
};

/** The bytes of user-data, each as a character. */
function bytesOf({ userData, userDataBase64: encoded }: Properties): string {
    return Buffer.from(String(encoded ?? userData), encoded === undefined ? "utf8" : "base64").toString("latin1");
}

/** What it says of instance tags in metadata. @default as the account has it */
export function metadataTagsOf({ metadataOptions: options }: Properties): string | undefined {
    return (options as { instanceMetadataTags?: string } | undefined)?.instanceMetadataTags;
}

/** Hop limit of the metadata service's responses, from metadataOptions. */
export function hopsOf({ metadataOptions: options }: Properties): number {
    return Number((options as { httpPutResponseHopLimit?: number } | undefined)?.httpPutResponseHopLimit ?? 1);
}

/** What EC2 refuses of a block device. */
export function requireRoot(device: unknown): void {
    const { volumeType, volumeSize, iops, throughput } = device as Properties;
    const numberOf = (value: unknown) => (value === undefined ? undefined : Number(value));
    const given = { iops: numberOf(iops), throughput: numberOf(throughput) };
    requirePerformance({ type: String(volumeType), size: Number(volumeSize), ...given });
}
