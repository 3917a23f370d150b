import type { Role } from "@pulumi/aws/iam/role";
import { RolePolicy } from "@pulumi/aws/iam/rolePolicy";
import * as pulumi from "@pulumi/pulumi";
import type { EtcdS3 } from "../../../cluster/model";
import { snapshotRights } from "../buckets";
import { cleanedGroups } from "../in-cluster";
import { instanceLooks } from "../machines/instance-types";
import type { AwsNodes } from "../machines/nodes";
import { cloudControllerRights } from "./cloud-controller-rights";
import { autoscalerRights, csiDriverRights } from "./driver-rights";
import { type Allowance, bucketArn, policy } from "./policy";
import { rightsNames } from "./rights-names";

/**
 * Gives the controllers' instances the permissions of the AWS controllers that run there.
 *
 * Each component has its own policy, so that a preview shows which ones are added or removed. Workers get none.
 */
export function createCloudRights(
    { cluster, aws, network, snapshotBucket }: Pick<AwsNodes, "cluster" | "aws" | "network" | "snapshotBucket">,
    role: Role,
    opts: pulumi.CustomResourceOptions,
): RolePolicy[] {
    const { name } = cluster;
    const grant = (what: string, rights: pulumi.Input<readonly Allowance[]>) =>
        new RolePolicy(`${name}-${what}`, { role: role.id, policy: pulumi.output(rights).apply(policy) }, opts);
    const scope = { cluster: name, region: aws.region };
    const cloudController = () =>
        pulumi.output(network.vpc.id).apply((vpcId) => cloudControllerRights({ ...scope, vpcId }));
    const { s3 } = cluster.etcdSnapshots;
    // ARN of the bucket that the stack creates, so that the policy is deleted before it.
    const keeper = (store: EtcdS3) =>
        pulumi
            .output(snapshotBucket?.arn ?? bucketArn(aws.region, store.bucket))
            .apply((arn) => snapshotRights(arn, store));
    return [
        ...(aws.hasCloudController ? [grant(rightsNames.cloudController, cloudController())] : []),
        ...(aws.hasCsiDriver ? [grant(rightsNames.csiDriver, csiDriverRights(scope))] : []),
        ...(aws.hasClusterAutoscaler ? [grant(rightsNames.clusterAutoscaler, autoscalerRights(scope))] : []),
        ...(s3?.isByInstanceRole ? [grant(rightsNames.etcdKeeper, keeper(s3))] : []),
        ...(Object.keys(aws.pools).length > 0 ? [grant(rightsNames.nodeApprover, instanceLooks)] : []),
        ...(cleanedGroups(aws) ? [grant(rightsNames.nodeCleaner, instanceLooks)] : []),
        ...(aws.hasServingApprover ? [grant(rightsNames.servingApprover, instanceLooks)] : []),
    ];
}
