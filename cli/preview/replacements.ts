import type { Preview, Step } from "./model";
import { code } from "./render/markdown";

/** Of what else is made anew: its name, and what that means. */
export interface Replacement {
    readonly name: string;
    readonly type: string;
    readonly text: string;
}

/** Types whose replacement nobody notices: each is another one by its name, or its own section tells. */
const quiet =
    /^(tls:|kubernetes:|command:|pulumi:|random:|aws:s3\/bucketObject|aws:ec2\/instance:|digitalocean:index\/droplet:)/;
const pods = /^kubernetes:(apps|core)\/v1:(DaemonSet|Deployment|StatefulSet|Service|Namespace)$/;
const disks = /:(ebs\/volume|index\/volume):/;
const balancers = /:(lb\/loadBalancer|index\/loadBalancer|lb\/targetGroup|lb\/listener):/;

/** What else is made anew, and what goes that cannot come back. */
export function replacements({ steps }: Preview): Replacement[] {
    return steps.flatMap((step) => {
        const { type, name, operation } = step;
        const isLocalBalancer = type === "command:local:Command" && name.endsWith("-load-balancer");
        if (operation === "delete" && disks.test(type)) return [{ name, type, text: "goes, **with its data**" }];
        const isTold = (!quiet.test(type) || pods.test(type) || isLocalBalancer) && operation === "replace";
        return isTold ? [{ name, type, text: meaning(step, isLocalBalancer) }] : [];
    });
}

function meaning({ type, isDeletedFirst, replaces }: Step, isBalancer: boolean): string {
    const by = replaces.length > 0 ? `, by ${code(replaces.join(", "))}` : "";
    if (disks.test(type)) return `made anew${by}: **its data are lost**`;
    if (isBalancer || balancers.test(type)) return `made anew${by}: **what it leads to can't be reached meanwhile**`;
    return `made anew${by}; ${isDeletedFirst ? "the old one goes first" : "the old one goes when the new one is there"}`;
}
