import { macAddress } from "../../../machines";
import type { Tree } from "../../cloud/tree";
import { type Account, accountId } from "../account";
import { groupTree } from "../group-tree";
import { architectureOf, rootDeviceOfImage } from "../offers";
import { spotTree } from "../spot";
import { credentialsOf } from "./credentials";

/** What the metadata service tells an instance of itself, below the version. */
export function metadataOf(account: Account, id: string, secret: string, now = Date.now()): Tree {
    const { region, amis } = account.state;
    const instance = account.find("instances", id);
    const { address, vpc: vpcId, subnet: subnetId, groups, spec } = instance;
    const subnet = account.resources.subnets[subnetId];
    const zone = subnet?.zone ?? "";
    const { ami = "", instanceType = "", userData = "" } = spec ?? {};
    const mac = macAddress(address);
    const root = rootDeviceOfImage(amis[ami] ?? "");
    const hostname = `${id}.${region}.compute.internal`;
    const names = groups.map((group) => account.resources.securityGroups[group]?.name ?? group).join("\n");
    const common = { "security-groups": names, "local-hostname": hostname, mac };
    const vpcCidr = account.resources.vpcs[vpcId]?.cidr ?? "";
    return {
        dynamic: {
            "instance-identity": { document: document(account, id, { zone, ami, instanceType, address }) },
        },
        "meta-data": {
            "ami-id": ami,
            "ami-launch-index": "0",
            // Of volumes those alone that were there when it was launched: what is attached later is not told.
            "block-device-mapping": { ami: root, root },
            hostname,
            ...identity(account, spec?.profile, id, secret, now),
            ...spotTree(instance),
            ...groupTree(instance),
            "instance-id": id,
            "instance-type": instanceType,
            "local-ipv4": address,
            ...common,
            network: {
                interfaces: {
                    macs: {
                        [mac]: {
                            "device-number": "0",
                            "interface-id": `eni-${id.slice(2)}`,
                            ...common,
                            "local-ipv4s": address,
                            "owner-id": accountId,
                            "security-group-ids": groups.join("\n"),
                            "subnet-id": subnetId,
                            "subnet-ipv4-cidr-block": subnet?.cidr ?? "",
                            "vpc-id": vpcId,
                            "vpc-ipv4-cidr-block": vpcCidr,
                            "vpc-ipv4-cidr-blocks": vpcCidr,
                        },
                    },
                },
            },
            placement: { "availability-zone": zone, region },
            services: { domain: "amazonaws.com", partition: "aws" },
        },
        ...(userData && { "user-data": userData }),
    };
}

/** Of an instance with a profile: what its role has, for a few hours. */
function identity(account: Account, profile: string | undefined, instance: string, secret: string, now: number): Tree {
    const role = profile === undefined ? undefined : account.resources.instanceProfiles[profile]?.role;
    if (role === undefined) return {};
    const { accessKeyId, secretAccessKey, token, expires } = credentialsOf(secret, { role, instance }, now);
    const updated = new Date(expires.getTime() - 6 * 3_600_000).toISOString().replace(/\.\d+/, "");
    const common = { Code: "Success", LastUpdated: updated };
    const credentials = {
        ...common,
        Type: "AWS-HMAC",
        AccessKeyId: accessKeyId,
        SecretAccessKey: secretAccessKey,
        Token: token,
        Expiration: expires.toISOString().replace(/\.\d+/, ""),
    };
    const arn = account.arn("iam", `instance-profile/${profile}`, true);
    return {
        iam: {
            info: json({ ...common, InstanceProfileArn: arn, InstanceProfileId: `AIPA${profile}` }),
            "security-credentials": { [role]: json(credentials) },
        },
    };
}

function document(
    { state: { region } }: Account,
    instanceId: string,
    told: { zone: string; ami: string; instanceType: string; address: string },
): string {
    return json({
        accountId,
        architecture: told.instanceType ? architectureOf(told.instanceType) : "x86_64",
        availabilityZone: told.zone,
        imageId: told.ami,
        instanceId,
        instanceType: told.instanceType,
        privateIp: told.address,
        region,
        version: "2017-09-30",
    });
}

function json(value: object): string {
    return JSON.stringify(value, undefined, 2);
}
