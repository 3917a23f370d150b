import * as pulumi from "@pulumi/pulumi";
import type { Architecture } from "../../../cluster/downloads";
import { plainError } from "../../pulumi/errors";
import type { Allowance } from "../iam/policy";

/**
 * Refuses an instance type of another architecture for a controller that is there, in previews too: its image would not run on
 * it, which EC2 says when the instance is stopped already. One that is made anew gets another image as well.
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
                `controllers.instanceType must stay of ${architecture}, as ${node} is, got ${after}: name one controller after another in madeAnew`,
            );
        },
        { onDryRun: true },
    );
}

export type { Architecture } from "../../../cluster/downloads";

/**
 * The architecture of an instance type: those with AWS' own processors have a `g` after their generation, but for the
 * first one. Source: "Amazon EC2 instance type naming conventions".
 */
export function architectureOf(instanceType: string): Architecture {
    return /^(a1|[a-z]+\d+[a-z]*g[a-z]*|p6e-gb\d+)\./.test(instanceType) ? "arm64" : "amd64";
}

/** What agents may that ask EC2 for instances. It can't be limited to a cluster. */
export const instanceLooks: readonly Allowance[] = [{ actions: ["ec2:DescribeInstances"] }];

/** Only with a token, and from the machine itself: a packet of a pod's network has one hop more. */
export const metadataOptions = { httpEndpoint: "enabled", httpTokens: "required", httpPutResponseHopLimit: 1 };

export const volumeType = "gp3";

/**
 * Families of instances on Xen, where a volume of EBS is another device than of NVMe, whose name tells the volume.
 * Source: EC2's "Instances built on the AWS Nitro System", which names the others.
 */
const onXen = /^(t[12]|m[1-4]|c[134]|cc2|cr1|r[34]|i[23]|d2|h1|hs1|g2|g3s?|f1|p[23]|x1e?)\./;

/** Whether an instance type is of the Nitro system. New families are; bare metal of an old one is, too. */
export function isNitro(instanceType: string): boolean {
    return !onXen.test(instanceType) || instanceType.endsWith(".metal");
}
