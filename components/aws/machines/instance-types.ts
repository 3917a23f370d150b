import * as pulumi from "@pulumi/pulumi";
import type { Architecture } from "../../../cluster/downloads";
import { plainError } from "../../pulumi/errors";
import type { Allowance } from "../iam/policy";

/**
 * Refuses an instance type of another architecture for an existing controller, at preview too: it could not run the
 * image, which EC2 only reports once the instance is stopped. A controller that is replaced gets another image as well.
 */
export function keepsArchitecture(node: string): pulumi.ResourceHook {
    return new pulumi.ResourceHook(
        `${node}-keeps-architecture`,
        ({ oldInputs, newInputs }) => {
            const [before, after] = [oldInputs, newInputs].map((inputs) => inputs?.instanceType);
            if (typeof before !== "string" || typeof after !== "string") return;
            const architecture = architectureOf(before);
            if (architectureOf(after) === architecture) return;
            throw plainError(
                `controllers.instanceType must remain ${architecture} like ${node}, got ${after}: to change it, list one controller at a time in recreate`,
            );
        },
        { onDryRun: true },
    );
}

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

/** Requires a token, and the machine itself: a packet from a pod's network has one more hop. */
export const metadataOptions = { httpEndpoint: "enabled", httpTokens: "required", httpPutResponseHopLimit: 1 };

/**
 * Families of Xen instances, whose EBS volumes are not NVMe devices and so do not have the volume id in their name.
 * Source: EC2's "Instances built on the AWS Nitro System", which lists the others.
 */
const onXen = /^(t[12]|m[1-4]|c[134]|cc2|cr1|r[34]|i[23]|d2|h1|hs1|g2|g3s?|f1|p[23]|x1e?)\./;

/** Whether an instance type is of the Nitro system. New families are, as is bare metal of old ones. */
export function isNitro(instanceType: string): boolean {
    return !onXen.test(instanceType) || instanceType.endsWith(".metal");
}
