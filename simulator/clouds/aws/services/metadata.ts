import { macAddress } from "../../../../machines";
import type { Answer, Asked, Asker } from "../../services/service";
import { lookUp, type Tree } from "../../shared/tree";
import { type Account, accountId } from "../account";
import { groupTree } from "../group-actions";
import { architectureOf, rootDeviceOfImage, spotTree } from "../offers";
import { credentialsOf, sealed, unsealed } from "./caller";

const purpose = "metadata session";

/** Six hours, in seconds. */
const longestSession = 21_600;

/** Supported versions, which all return the same. */
const version = /^(latest|20\d\d-\d\d-\d\d)$/;

/**
 * EC2's instance metadata service, version 2 only: a session starts with a PUT, which open proxies do not forward.
 *
 * Source: EC2's "Use the Instance Metadata Service to access instance metadata".
 */
export function metadata(account: Account, asked: Asked, asker: Asker, secret: string, now = Date.now()): Answer {
    const instance = instanceOf(account, asker);
    if (!instance) return failed(404, "Not Found");
    const { method, path, headers } = asked;
    const [, first = "", ...rest] = path.split("/");
    if (path === "/latest/api/token") {
        return method === "PUT" ? session(instance, headers, secret, now) : failed(405, "Not Allowed");
    }
    if (method !== "GET" && method !== "HEAD") return failed(405, "Not Allowed");
    const token = headers["x-aws-ec2-metadata-token"] ?? "";
    const found = unsealed<{ instance: string; expires: number }>(secret, purpose, token);
    if (found?.instance !== instance || found.expires < now) return failed(401, "Unauthorized");
    if (path === "/") return text("latest");
    const value = version.test(first) ? lookUp(metadataOf(account, instance, secret, now), rest) : undefined;
    if (value === undefined) return failed(404, "Not Found");
    return rest.join() === "user-data" ? { ...text(""), body: Buffer.from(value, "latin1") } : text(value);
}

function session(instance: string, headers: Asked["headers"], secret: string, now: number): Answer {
    if (headers["x-forwarded-for"] !== undefined) return failed(403, "Forbidden");
    const given = headers["x-aws-ec2-metadata-token-ttl-seconds"] ?? "";
    const seconds = Number(given);
    if (!/^\d+$/.test(given) || seconds < 1 || seconds > longestSession) return failed(400, "Bad Request");
    const token = sealed(secret, purpose, { instance, expires: now + seconds * 1000 });
    return { ...text(token), headers: { ...plain, "x-aws-ec2-metadata-token-ttl-seconds": given } };
}

/** The id of the instance at an address. */
export function instanceOf({ resources }: Account, { network, address }: Asker): string | undefined {
    const found = Object.entries(resources.instances).find(
        ([, each]) => each.address === address && resources.vpcs[each.vpc]?.name === network,
    );
    return found?.[0];
}

const plain = { "content-type": "text/plain", server: "EC2ws" };

function text(body: string): Answer {
    return { status: 200, headers: plain, body };
}

function failed(status: number, body: string): Answer {
    return { status, headers: plain, body: `${status} - ${body}\n` };
}

/** What the metadata service reports to an instance about itself, below the version. */
function metadataOf(account: Account, id: string, secret: string, now = Date.now()): Tree {
    const { region, amis } = account.state;
    const instance = account.find("instances", id);
    const { address, address6, vpc: vpcId, subnet: subnetId, groups, spec } = instance;
    const subnet = account.resources.subnets[subnetId];
    const zone = subnet?.zone ?? "";
    const { ami = "", instanceType = "", userData = "" } = spec ?? {};
    const mac = macAddress(address);
    const root = rootDeviceOfImage(amis[ami] ?? "");
    const hostname = `${id}.${region}.compute.internal`;
    const names = groups.map((group) => account.resources.securityGroups[group]?.name ?? group).join("\n");
    const common = { "security-groups": names, "local-hostname": hostname, mac };
    const vpc = account.resources.vpcs[vpcId];
    const vpcCidr = vpc?.cidr ?? "";
    return {
        dynamic: {
            "instance-identity": { document: document(account, id, { zone, ami, instanceType, address }) },
        },
        "meta-data": {
            "ami-id": ami,
            "ami-launch-index": "0",
            // Only the volumes of its launch: volumes attached later are not listed.
            "block-device-mapping": { ami: root, root },
            hostname,
            ...identity(account, spec?.profile, id, secret, now),
            ...spotTree(instance),
            ...groupTree(instance),
            "instance-id": id,
            "instance-type": instanceType,
            ...(address6 && { ipv6: address6 }),
            "local-ipv4": address,
            ...common,
            network: {
                interfaces: {
                    macs: {
                        [mac]: {
                            "device-number": "0",
                            "interface-id": `eni-${id.slice(2)}`,
                            ...common,
                            ...(address6 && { ipv6s: address6 }),
                            "local-ipv4s": address,
                            "owner-id": accountId,
                            "security-group-ids": groups.join("\n"),
                            "subnet-id": subnetId,
                            "subnet-ipv4-cidr-block": subnet?.cidr ?? "",
                            ...(subnet?.ipv6Cidr && { "subnet-ipv6-cidr-blocks": subnet.ipv6Cidr }),
                            "vpc-id": vpcId,
                            "vpc-ipv4-cidr-block": vpcCidr,
                            "vpc-ipv4-cidr-blocks": vpcCidr,
                            ...(vpc?.ipv6Cidr && { "vpc-ipv6-cidr-blocks": vpc.ipv6Cidr }),
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

/** For an instance with a profile: credentials of its role, valid for a few hours. */
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
    facts: { zone: string; ami: string; instanceType: string; address: string },
): string {
    return json({
        accountId,
        architecture: facts.instanceType ? architectureOf(facts.instanceType) : "x86_64",
        availabilityZone: facts.zone,
        imageId: facts.ami,
        instanceId,
        instanceType: facts.instanceType,
        privateIp: facts.address,
        region,
        version: "2017-09-30",
    });
}

function json(value: object): string {
    return JSON.stringify(value, undefined, 2);
}
