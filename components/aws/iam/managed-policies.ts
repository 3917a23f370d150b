import type { Role } from "@pulumi/aws/iam/role";
import { RolePolicyAttachment } from "@pulumi/aws/iam/rolePolicyAttachment";
import type * as pulumi from "@pulumi/pulumi";
import { invalid, requireMatch } from "../../../cluster/validate";
import { isLate, requireLate, shown } from "../../pulumi/late";
import { partitionOf } from "./policy";

const policyArn = /^arn:aws(-[a-z-]+)?:iam::(aws|\d{12}):policy\/[\w+=,.@/-]+$/;
const legalArn = "the ARN of an IAM policy, such as arn:aws:iam::123456789012:policy/backup";

/** IAM attaches at most this many managed policies to a role, and 10 unless the account's quota is raised. */
const mostPolicies = 25;

/** Throws `<option>.policies[0] must be <legal> (got <value>)`. */
export function requirePolicies(
    option: string,
    arns: readonly pulumi.Input<string>[] = [],
): readonly pulumi.Input<string>[] {
    if (arns.length > mostPolicies) throw invalid(`${option}.policies`, `at most ${mostPolicies} ARNs`, arns.length);
    return arns.map((arn, index) => {
        const each = `${option}.policies[${index}]`;
        const isFirst = arns.findIndex((other) => nameOf(other) === nameOf(arn)) === index;
        if (!isFirst) throw invalid(each, "a policy of another name than those before it", shown(arn));
        return requireLate(arn, (known) => requireMatch(each, policyArn, legalArn, known));
    });
}

export function requireBoundary(arn: pulumi.Input<string> | undefined): pulumi.Input<string> | undefined {
    if (arn === undefined) return undefined;
    return requireLate(arn, (known) => requireMatch("permissionsBoundary", policyArn, legalArn, known));
}

/** Policy of instances that pull images from ECR. */
export function pullPolicy(region: string): string {
    return `arn:${partitionOf(region)}:iam::aws:policy/AmazonEC2ContainerRegistryPullOnly`;
}

/** Policy of instances that Session Manager opens shells on. */
export function sessionPolicy(region: string): string {
    return `arn:${partitionOf(region)}:iam::aws:policy/AmazonSSMManagedInstanceCore`;
}

/** Attaches managed policies to a role. Each is a resource of its own, so that a preview names it. */
export function attachPolicies(
    resource: string,
    role: Role,
    arns: readonly pulumi.Input<string>[],
    opts: pulumi.CustomResourceOptions,
): void {
    const all = [...new Set(arns)];
    for (const [index, policyArn] of all.entries()) {
        const name = isLate(policyArn) ? `policy-${index}` : nameOf(policyArn);
        new RolePolicyAttachment(`${resource}-${name}`, { role: role.name, policyArn }, opts);
    }
}

/** An output has none yet, and is like no other. */
function nameOf<Arn extends pulumi.Input<string>>(arn: Arn): string | Arn {
    return isLate(arn) ? arn : String(arn).split("/").at(-1)!;
}
