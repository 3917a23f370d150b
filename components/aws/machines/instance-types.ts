import type { Architecture } from "../../../cluster/downloads";
import type { Allowance } from "../iam/policy";

export type { Architecture } from "../../../cluster/downloads";

/**
 * Architecture of an instance type: types with AWS' own processors have a `g` after their generation, except for the
 * first one. Source: "Amazon EC2 instance type naming conventions".
 */
export function architectureOf(instanceType: string): Architecture {
    return /^(a1|[a-z]+\d+[a-z]*g[a-z]*|p6e-gb\d+)\./.test(instanceType) ? "arm64" : "amd64";
}

/** Permission of agents to query instances in EC2. It cannot be limited to a cluster. */
export const instanceReads: readonly Allowance[] = [{ actions: ["ec2:DescribeInstances"] }];

/**
 * Requires a token, and the machine itself: a packet from a pod's network has one more hop.
 *
 * What is omitted has the account's default. With tags in the metadata, EC2 refuses keys with a slash, such as the tag
 * of cloud controllers. Source: "Work with instance tags in instance metadata".
 */
export const metadataOptions = {
    httpEndpoint: "enabled",
    httpTokens: "required",
    httpPutResponseHopLimit: 1,
    httpProtocolIpv6: "disabled",
    instanceMetadataTags: "disabled",
};

/**
 * Families of Xen instances, whose EBS volumes are not NVMe devices and so do not have the volume id in their name.
 * Source: EC2's "Instances built on the AWS Nitro System", which lists the others.
 */
const onXen = /^(t[12]|m[1-4]|c[134]|cc2|cr1|r[34]|i[23]|d2|h1|hs1|g2|g3s?|f1|p[23]|x1e?)\./;

/** Whether an instance type is of the Nitro system. New families are, as is bare metal of old ones. */
export function isNitro(instanceType: string): boolean {
    return !onXen.test(instanceType) || instanceType.endsWith(".metal");
}
