/** An allow statement of an IAM policy. */
export interface Allowance {
    readonly actions: readonly string[];
    /** @default "*" */
    readonly resources?: readonly string[];
    readonly condition?: Condition;
}

type Condition = Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;

/** Text of a policy that allows the given actions and nothing else. */
export function policy(allowances: readonly Allowance[]): string {
    return JSON.stringify({ Version: "2012-10-17", Statement: allowances.map(statement) });
}

export function statement({ actions, resources = ["*"], condition }: Allowance): object {
    return { Effect: "Allow", Action: actions, Resource: resources, ...(condition && { Condition: condition }) };
}

/** Use of a key by a service that acts for the caller. */
export function throughService(service: string, region: string): Condition {
    const name = `${service}.${region}.amazonaws.com`;
    return { StringEquals: { "kms:ViaService": region.startsWith("cn-") ? [name, `${name}.cn`] : name } };
}

/** `(type) => ARN` that matches everything of a type in a region, such as `volume/*`. */
export function arnsIn(service: string, region: string): (resource: string) => string {
    return (resource) => `arn:${partitionOf(region)}:${service}:${region}:*:${resource}`;
}

export function bucketArn(region: string, name: string): string {
    return `arn:${partitionOf(region)}:s3:::${name}`;
}

/** Source: "Amazon Resource Names (ARNs)". */
export function partitionOf(region: string): string {
    const [, apart] = /^(cn|us-gov)-/.exec(region) ?? [];
    return apart ? `aws-${apart}` : "aws";
}

/** Names of the controllers' policies by component: `<cluster>-csi-driver`. No pool has such a name. */
export const permissionNames = {
    cloudController: "cloud-controller",
    csiDriver: "csi-driver",
    clusterAutoscaler: "cluster-autoscaler",
    nodeApprover: "node-approver",
    nodeCleaner: "node-cleaner",
    nodeRepairer: "node-repairer",
    servingApprover: "serving-approver",
    etcdKeeper: "etcd-keeper",
} as const;
