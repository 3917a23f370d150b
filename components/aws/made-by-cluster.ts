import * as pulumi from "@pulumi/pulumi";
import { awsVolumeDriver } from "../addons/aws-csi-driver";
import type { MadeByCluster } from "../clean-up";
import type { Cluster } from "../cluster/model";
import type { AwsNetwork } from "./network";
import type { Aws } from "./resolve";
import { clusterTag, ownTag } from "./tags";

/** What the cluster's own controllers make in AWS. @default undefined without any of them */
export function madeInAws(
    cluster: Cluster,
    aws: Aws,
    { vpc }: Pick<AwsNetwork, "vpc">,
    after: readonly pulumi.Resource[],
): MadeByCluster | undefined {
    const { hasCloudController, hasCsiDriver, region } = aws;
    if (!hasCloudController && !hasCsiDriver) return undefined;
    return {
        hasLoadBalancers: hasCloudController,
        drivers: hasCsiDriver ? [awsVolumeDriver] : [],
        findByHand: findInAws(cluster.name, region),
        cloud: pulumi
            .output(vpc.id)
            .apply((vpcId) => ({ kind: "aws" as const, region, vpcId, clusterTag: clusterTag(cluster.name), ownTag })),
        after,
    };
}

/** Commands of AWS' CLI that find, by tags, what has the cluster's and is not the stack's, and delete each kind. */
export function findInAws(cluster: string, region: string): string[] {
    const aws = `aws --region ${region}`;
    const notOfStack = `ResourceTagMappingList[?length(Tags[?Key==\`${ownTag}\`])==\`0\`].[ResourceARN]`;
    return [
        `${aws} resourcegroupstaggingapi get-resources --tag-filters Key=${clusterTag(cluster)},Values=owned --query '${notOfStack}' --output text`,
        `${aws} elb delete-load-balancer --load-balancer-name NAME    # ...:loadbalancer/NAME`,
        `${aws} elbv2 delete-load-balancer --load-balancer-arn ARN    # ...:loadbalancer/net/..., then each ...:targetgroup/...:`,
        `${aws} elbv2 delete-target-group --target-group-arn ARN`,
        `${aws} ec2 delete-security-group --group-id ID    # when its load balancer is gone`,
        `${aws} ec2 delete-volume --volume-id ID    # those that were to be retained are among them`,
    ];
}
