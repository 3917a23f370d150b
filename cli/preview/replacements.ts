import type { Preview, Step } from "./model";
import { code } from "./render/markdown";

/** Another replaced resource, and the impact. */
export interface Replacement {
    readonly name: string;
    readonly type: string;
    readonly text: string;
}

/** Types whose replacement has no impact, because the name changes or another section covers it. */
const quiet =
    /^(tls:|kubernetes:|command:|pulumi:|random:|aws:s3\/bucketObject|aws:ec2\/instance:|digitalocean:index\/droplet:)/;
const pods = /^kubernetes:(apps|core)\/v1:(DaemonSet|Deployment|StatefulSet|Service|Namespace)$/;
const disks = /:(ebs\/volume|index\/volume):/;
const balancers = /:(lb\/loadBalancer|index\/loadBalancer|lb\/targetGroup|lb\/listener):/;

/** Other replaced resources, and deletions that lose data. */
export function replacements({ steps }: Preview): Replacement[] {
    return steps.flatMap((step) => {
        const { type, name, operation } = step;
        const isLocalBalancer = type === "command:local:Command" && name.endsWith("-load-balancer");
        if (operation === "delete" && disks.test(type)) return [{ name, type, text: "deleted, **with its data**" }];
        const isTold = (!quiet.test(type) || pods.test(type) || isLocalBalancer) && operation === "replace";
        return isTold ? [{ name, type, text: meaning(step, isLocalBalancer) }] : [];
    });
}

function meaning({ type, isDeletedFirst, replaces }: Step, isBalancer: boolean): string {
    const by = replaces.length > 0 ? ` because of ${code(replaces.join(", "))}` : "";
    if (disks.test(type)) return `replaced${by}: **its data is lost**`;
    if (isBalancer || balancers.test(type)) return `replaced${by}: **its backends are unreachable meanwhile**`;
    return `replaced${by}; ${isDeletedFirst ? "the old one is deleted first" : "the old one is deleted once the new one exists"}`;
}
