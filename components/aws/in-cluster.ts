import * as pulumi from "@pulumi/pulumi";
import type { MachineConsole } from "../../agents/bootstrap-sender/delivery";
import type { InstancesPlan } from "../../agents/nodes/serving-approver/plan";
import { ec2Of } from "../../clients/aws/ec2-instances";
import { serviceUrl } from "../../clients/aws/query";
import type { Manifest } from "../../cluster/manifest";
import { awsCloudController, awsCsiDriver, awsVolumeDriver } from "../../cluster/manifests/addons/aws";
import { clusterAutoscaler } from "../../cluster/manifests/addons/cluster-autoscaler";
import { onOwnControllers } from "../../cluster/manifests/agent-workloads";
import type { CleanedGroups } from "../../cluster/manifests/nodes/node-cleaner";
import type { Cluster } from "../../cluster/model";
import type { CreatedByCluster } from "../in-cluster/clean-up";
import type { PooledMachines, RepairAccess } from "../in-cluster/nodes";
import { instanceDomain, namePattern } from "./machines/machine-groups";
import { groupName } from "./machines/pools";
import type { Aws, AwsNetwork } from "./model";
import { clusterTag, ownTag } from "./tags";

/** Resources that controllers in the cluster create in AWS. @default undefined without such controllers */
export function createdInAws(
    cluster: Cluster,
    aws: Aws,
    { vpc }: Pick<AwsNetwork, "vpc">,
    after: readonly pulumi.Resource[],
): CreatedByCluster | undefined {
    const { cloudController, csiDriver, region } = aws;
    if (!cloudController && !csiDriver) return undefined;
    return {
        hasLoadBalancers: cloudController,
        drivers: csiDriver ? [awsVolumeDriver] : [],
        findByHand: findInAws(cluster.name, region),
        cloud: pulumi
            .output(vpc.id)
            .apply((vpcId) => ({ kind: "aws" as const, region, vpcId, clusterTag: clusterTag(cluster.name), ownTag })),
        after,
    };
}

/** AWS CLI commands that find, by tags, the cluster's resources that the stack did not create, and delete each kind. */
export function findInAws(cluster: string, region: string): string[] {
    const aws = `aws --region ${region}`;
    const notOfStack = `ResourceTagMappingList[?length(Tags[?Key==\`${ownTag}\`])==\`0\`].[ResourceARN]`;
    return [
        `${aws} resourcegroupstaggingapi get-resources --tag-filters Key=${clusterTag(cluster)},Values=owned --query '${notOfStack}' --output text`,
        `${aws} elb delete-load-balancer --load-balancer-name NAME    # ...:loadbalancer/NAME`,
        `${aws} elbv2 delete-load-balancer --load-balancer-arn ARN    # ...:loadbalancer/net/..., then each ...:targetgroup/...:`,
        `${aws} elbv2 delete-target-group --target-group-arn ARN`,
        `${aws} ec2 delete-security-group --group-id ID    # after its load balancer`,
        `${aws} ec2 delete-volume --volume-id ID    # includes volumes to be retained`,
    ];
}

/** The AWS controllers that are enabled. */
export function awsAddons(cluster: Cluster, aws: Aws): Manifest[] {
    return onOwnControllers(cluster, [
        ...(aws.cloudController ? awsCloudController(cluster, aws) : []),
        ...(aws.csiDriver ? awsCsiDriver(cluster, aws) : []),
        ...(aws.autoscaler ? clusterAutoscaler(cluster, aws) : []),
    ]);
}

/** How to read the console of an instance (requires `ec2:GetConsoleOutput`). */
export function consoleOfInstance(region: string, instanceId: string): MachineConsole {
    const command = `aws ec2 get-console-output --region ${region} --instance-id ${instanceId}`;
    return { byHand: `\`${command} --latest --output text\``, ec2: { region, instanceId } };
}

/**
 * Groups whose nodes an agent deletes after their instances. None with the cloud controller, which does it too. Without
 * a route to the internet, the agent reaches EC2 through an endpoint.
 */
export function cleanedGroups({ region, pools, cloudController }: Aws): CleanedGroups | undefined {
    if (Object.keys(pools).length === 0 || cloudController) return undefined;
    return { namePattern: namePattern(region), region };
}

/** How the agent that approves kubelet serving certificates looks up instance addresses, and in which groups. */
export function servingInstances(cluster: string, { region, pools }: Pick<Aws, "region" | "pools">): InstancesPlan {
    return {
        ...ec2Of(region),
        namePattern: namePattern(region),
        groups: Object.keys(pools).map((pool) => groupName({ cluster, pool })),
    };
}

/** How the agent that repairs machines reaches them. */
export function repairAccess(cluster: string, { region }: Pick<Aws, "region">): RepairAccess {
    const [place, autoScaling] = [ec2Of(region), serviceUrl("autoscaling", region)];
    const found = { namePattern: namePattern(region), clusterTag: clusterTag(cluster) };
    return { name: "aws", cloud: { ...place, autoScaling, ...found } };
}

/** Groups whose instances are admitted as nodes if EC2 confirms that they run and belong to the group. */
export function pooledMachines(
    cluster: string,
    { region, pools }: Pick<Aws, "region" | "pools">,
): PooledMachines | undefined {
    const names = Object.keys(pools);
    if (names.length === 0) return undefined;
    return {
        groups: Object.fromEntries(names.map((pool) => [pool, groupName({ cluster, pool })])),
        instances: { ...ec2Of(region), namePattern: namePattern(region), domain: instanceDomain(region) },
    };
}
