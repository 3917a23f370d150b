import type { Role } from "@pulumi/aws/iam/role";
import { RolePolicy } from "@pulumi/aws/iam/rolePolicy";
import * as pulumi from "@pulumi/pulumi";
import type { EtcdS3 } from "../../../cluster/model";
import { snapshotKeyPermissions, snapshotPermissions } from "../buckets";
import { cleanedGroups } from "../in-cluster";
import { instanceReads } from "../machines/instance-types";
import type { AwsNodes } from "../machines/nodes";
import { cloudControllerPermissions } from "./cloud-controller-permissions";
import {
    autoscalerPermissions,
    csiDriverPermissions,
    repairerPermissions,
    volumeKeyPermissions,
    volumeSnapshotPermissions,
} from "./driver-permissions";
import { type Allowance, bucketArn, permissionNames, policy } from "./policy";

/**
 * Gives the controllers' instances the permissions of the AWS controllers that run there.
 *
 * Each component has its own policy, so that a preview shows which ones are added or removed. Workers get none.
 */
export function createCloudPermissions(
    { cluster, aws, network, snapshotBucket }: Pick<AwsNodes, "cluster" | "aws" | "network" | "snapshotBucket">,
    role: Role,
    opts: pulumi.CustomResourceOptions,
): RolePolicy[] {
    const { name } = cluster;
    const grant = (what: string, permissions: pulumi.Input<readonly Allowance[]>) =>
        new RolePolicy(`${name}-${what}`, { role: role.id, policy: pulumi.output(permissions).apply(policy) }, opts);
    const scope = { cluster: name, region: aws.region };
    const cloudController = () =>
        pulumi.output(network.vpc.id).apply((vpcId) => cloudControllerPermissions({ ...scope, vpcId }));
    const { s3 } = cluster.etcdSnapshots;
    // ARN of the bucket that the stack creates, so that the policy is deleted before it.
    const keeper = (store: EtcdS3) =>
        pulumi
            .all([snapshotBucket?.arn ?? bucketArn(aws.region, store.bucket), aws.kmsKeyId])
            .apply(([arn, key]) => [
                ...snapshotPermissions(arn, store),
                ...(snapshotBucket && key ? snapshotKeyPermissions(key, aws.region) : []),
            ]);
    const csiDriver = pulumi
        .output(aws.kmsKeyId)
        .apply((key) => [
            ...csiDriverPermissions(scope),
            ...(aws.volumeSnapshots ? volumeSnapshotPermissions(scope) : []),
            ...(key ? volumeKeyPermissions(key, aws.region) : []),
        ]);
    return [
        ...(aws.cloudController ? [grant(permissionNames.cloudController, cloudController())] : []),
        ...(aws.csiDriver ? [grant(permissionNames.csiDriver, csiDriver)] : []),
        ...(aws.autoscaler ? [grant(permissionNames.clusterAutoscaler, autoscalerPermissions(scope))] : []),
        ...(s3?.instanceRole ? [grant(permissionNames.etcdKeeper, keeper(s3))] : []),
        ...(Object.keys(aws.pools).length > 0 ? [grant(permissionNames.nodeApprover, instanceReads)] : []),
        ...(cleanedGroups(aws) ? [grant(permissionNames.nodeCleaner, instanceReads)] : []),
        ...(aws.hasRepairer ? [grant(permissionNames.nodeRepairer, repairerPermissions(scope))] : []),
        ...(aws.hasServingApprover ? [grant(permissionNames.servingApprover, instanceReads)] : []),
    ];
}
