import { Group } from "@pulumi/aws/autoscaling/group";
import { LaunchTemplate } from "@pulumi/aws/ec2/launchTemplate";
import type { TargetGroup } from "@pulumi/aws/lb/targetGroup";
import type * as pulumi from "@pulumi/pulumi";
import type { JoiningCredentials } from "../cluster/credentials";
import type { WorkerPool } from "../cluster/model";
import { joiningWorker } from "../nodes/joining-configs";
import { storeConfig } from "./config-store";
import { createDrainHook, releaseRights } from "./departures";
import { createIdentity } from "./identity";
import { metadataOptions, volumeType } from "./instance-options";
import type { AwsNodes } from "./nodes";
import { rootDeviceOf } from "./root-device";
import { autoscalerTags, instancesOf, mayRefresh, refreshOf } from "./scaling";

export interface PoolSurroundings {
    /** Those of ingress. */
    readonly targetGroups: readonly TargetGroup[];
    /** What the pool's machines join with. */
    readonly joining: pulumi.Output<JoiningCredentials>;
    /** What is last to get another version, the kubelets of nodes that are there. */
    readonly upgraded: pulumi.Resource;
}

/** A worker pool: an Auto Scaling group, whose instances take their names from AWS. */
export function createPool(
    nodes: AwsNodes,
    pool: WorkerPool,
    { targetGroups, joining, upgraded }: PoolSurroundings,
    opts: pulumi.CustomResourceOptions,
): Group {
    const { cluster, aws, image, network, apiNames, security, store, tags } = nodes;
    const resource = `${cluster.name}-${pool.name}`;
    const own = tags(resource);
    const { instanceType, diskSize } = aws.instances[pool.name]!;
    const rights = [releaseRights({ cluster: cluster.name, pool: pool.name, region: aws.region })];
    const identity = createIdentity(cluster.name, { pool: pool.name, store, tags, rights }, opts);
    const config = joining.apply((credentials) => joiningWorker(nodes, pool, credentials));
    const { object, userData } = storeConfig(resource, store, { aws, pool: pool.name, config, tags }, opts);
    const template = new LaunchTemplate(
        resource,
        {
            name: resource,
            imageId: image,
            instanceType,
            vpcSecurityGroupIds: [security.groups.nodes.id, security.groups.workers.id],
            iamInstanceProfile: { arn: identity.profile.arn },
            metadataOptions,
            // Subnets that were there may name instances by their addresses.
            privateDnsNameOptions: { hostnameType: "resource-name" },
            blockDeviceMappings: [
                {
                    deviceName: rootDeviceOf(aws.instances[pool.name]!, opts.parent),
                    ebs: { volumeType, volumeSize: diskSize, encrypted: "true", deleteOnTermination: "true" },
                },
            ],
            userData: userData.apply((text) => Buffer.from(text).toString("base64")),
            tagSpecifications: [
                { resourceType: "instance", tags: own },
                { resourceType: "volume", tags: own },
            ],
            updateDefaultVersion: true,
            tags: own,
        },
        opts,
    );
    const group = aws.pools[pool.name]!;
    const size = pool.nodes.length;
    const { min, max } = group.scaling ?? { min: size, max: size };
    const tagged = Object.entries(own).map(([key, value]) => ({ key, value, propagateAtLaunch: true }));
    const read = Object.entries(autoscalerTags(cluster.name, pool, group));
    const made = new Group(
        resource,
        {
            name: resource,
            ...instancesOf(group, { id: template.id, version: template.latestVersion.apply(String) }),
            ...(mayRefresh(cluster) && refreshOf(group)),
            vpcZoneIdentifiers: network.nodeSubnets.map(({ id }) => id),
            minSize: min,
            maxSize: max,
            desiredCapacity: size,
            healthCheckType: "EC2",
            // None is said too: left out, those that it has would stay.
            targetGroupArns: aws.ingress?.pools.includes(pool.name) ? targetGroups.map(({ arn }) => arn) : [],
            // Whether they are nodes is what the cluster tells.
            waitForCapacityTimeout: "0",
            tags: [...tagged, ...read.map(([key, value]) => ({ key, value, propagateAtLaunch: false }))],
        },
        {
            ...opts,
            // Which is the autoscaler's.
            ignoreChanges: group.scaling ? ["desiredCapacity"] : [],
            dependsOn: [
                object,
                identity.policy,
                ...apiNames,
                ...network.ways,
                ...security.rules,
                // Its update begins the refresh: instances of another version come when the control plane has it, and go when
                // nobody waits for their nodes any more.
                ...(group.refresh ? [upgraded] : []),
            ],
        },
    );
    createDrainHook(made, resource, group, opts);
    return made;
}
