import type { Role } from "@pulumi/aws/iam/role";
import { RolePolicyAttachment } from "@pulumi/aws/iam/rolePolicyAttachment";
import type * as pulumi from "@pulumi/pulumi";
import { invalid, requireMatch } from "../../../cluster/validate";
import { partitionOf } from "./policy";

const policyArn = /^arn:aws(-[a-z-]+)?:iam::(aws|\d{12}):policy\/[\w+=,.@/-]+$/;
const legalArn = "the ARN of an IAM policy, such as arn:aws:iam::123456789012:policy/backup";

/** IAM attaches at most this many managed policies to a role, and 10 unless the account's quota is raised. */
const mostPolicies = 25;

/** Throws `<option>.policies[0] must be <legal>, got <value>`. */
export function requirePolicies(option: string, arns: readonly string[] = []): readonly string[] {
    if (arns.length > mostPolicies) throw invalid(`${option}.policies`, `at most ${mostPolicies} ARNs`, arns.length);
    arns.forEach((arn, index) => {
        const each = `${option}.policies[${index}]`;
        requireMatch(each, policyArn, legalArn, arn);
        const isFirst = arns.findIndex((other) => nameOf(other) === nameOf(arn)) === index;
        if (!isFirst) throw invalid(each, "a policy of another name than those before it", arn);
    });
    return arns;
}

export function requireBoundary(arn: string | undefined): string | undefined {
    return arn === undefined ? undefined : requireMatch("permissionsBoundary", policyArn, legalArn, arn);
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
    arns: readonly string[],
    opts: pulumi.CustomResourceOptions,
): void {
    for (const policyArn of new Set(arns)) {
        new RolePolicyAttachment(`${resource}-${nameOf(policyArn)}`, { role: role.name, policyArn }, opts);
    }
}

function nameOf(arn: string): string {
    return arn.split("/").at(-1)!;
}
