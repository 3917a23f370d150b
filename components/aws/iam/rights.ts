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
 * Gives controllers' instances the rights of the controllers in the cluster that work in AWS, each of which runs there.
 *
 * A policy each, so that a preview says what comes and goes. Workers get none.
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
    // That of a bucket which the stack makes, so that the right goes before it.
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
