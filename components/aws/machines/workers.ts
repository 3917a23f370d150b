import { Group } from "@pulumi/aws/autoscaling/group";
import { LifecycleHook } from "@pulumi/aws/autoscaling/lifecycleHook";
import { getAmi } from "@pulumi/aws/ec2/getAmi";
import { LaunchTemplate } from "@pulumi/aws/ec2/launchTemplate";
import { getDefaultTags } from "@pulumi/aws/getDefaultTags";
import type { TargetGroup } from "@pulumi/aws/lb/targetGroup";
import * as pulumi from "@pulumi/pulumi";
import { metadataService } from "../../../clients/aws/instance-metadata";
import { serviceUrl } from "../../../clients/aws/query";
import type { JoiningCredentials } from "../../../cluster/keys/credentials";
import { joiningWorker } from "../../../cluster/machines/joining-configs";
import type { WorkerPool } from "../../../cluster/model";
import type { Departures } from "../../../cluster/resolve";
import type { PoolWatch } from "../../pool-watch/watch";
import { joinHooks } from "../../pulumi/hooks";
import { lookUpLate } from "../../pulumi/late";
import type { LocalDataHooks } from "../../upgrade/local-data-hooks";
import { storeConfig } from "../buckets";
import { type Allowance, arnsIn } from "../iam/policy";
import type { AwsInstance, NetworkSubnet } from "../model";
import { rootVolume } from "./disks";
import { metadataOptions } from "./instance-types";
import type { AwsNodes } from "./nodes";
import { type AwsPool, groupName } from "./pools";
import { autoscalerTags, fateOfInstances, instancesOf, mayRefresh, refreshOf } from "./scaling";

interface PoolSurroundings {
    /** Target groups of ingress. */
    readonly targetGroups: readonly TargetGroup[];
    /** Credentials that the pool's machines join with. */
    readonly joining: pulumi.Output<JoiningCredentials>;
    /** The last step of an upgrade: the kubelets of existing nodes. */
    readonly upgraded: pulumi.Resource;
    readonly localData: LocalDataHooks;
    readonly watch: PoolWatch;
}

/** A worker pool: an Auto Scaling group, whose instances are named by AWS. */
export function createPool(
    nodes: AwsNodes,
    pool: WorkerPool,
    { targetGroups, joining, upgraded, localData, watch }: PoolSurroundings,
    opts: pulumi.CustomResourceOptions,
): Group {
    const { cluster, aws, account, image, network, apiNames, identity, security, store, tags } = nodes;
    const resource = `${cluster.name}-${pool.name}`;
    const own = tags(resource);
    const { instanceType, disk, cpuCredits } = aws.instances[pool.name]!;
    const config = joining.apply((credentials) => joiningWorker(nodes, pool, credentials));
    const { object, userData } = storeConfig(
        resource,
        store,
        { aws, pool: pool.name, config, proxy: cluster.proxy, tags },
        opts,
    );
    const launched = withDefaultTags(own, opts);
    const template = new LaunchTemplate(
        resource,
        {
            name: resource,
            imageId: image,
            instanceType,
            ...interfaceOf(nodes),
            iamInstanceProfile: { arn: identity.profile.arn },
            metadataOptions,
            ...(cpuCredits && { creditSpecification: { cpuCredits } }),
            // Existing subnets may name instances by their addresses.
            privateDnsNameOptions: { hostnameType: "resource-name", enableResourceNameDnsARecord: true },
            blockDeviceMappings: [
                {
                    deviceName: rootDeviceOf(aws.instances[pool.name]!, opts.parent),
                    ebs: { ...rootVolume(disk, aws.kmsKeyId), encrypted: "true", deleteOnTermination: "true" },
                },
            ],
            userData: userData.apply((text) => Buffer.from(text).toString("base64")),
            tagSpecifications: ["instance", "volume"].map((resourceType) => ({ resourceType, tags: launched })),
            updateDefaultVersion: true,
            tags: own,
        },
        pulumi.mergeOptions(opts, account.ofPool(pool.name)),
    );
    const group = aws.pools[pool.name]!;
    const subnets = subnetsOf(group, nodes);
    const size = pool.nodes.length;
    const { min, max } = group.scaling ?? { min: size, max: size };
    const tagged = Object.entries(own).map(([key, value]) => ({ key, value, propagateAtLaunch: true }));
    const read = Object.entries(autoscalerTags(cluster.name, pool, group));
    const created = new Group(
        resource,
        {
            name: resource,
            ...instancesOf(group, { id: template.id, version: template.latestVersion.apply(String) }),
            ...(mayRefresh(cluster) && refreshOf(group)),
            vpcZoneIdentifiers: subnets.map(({ id }) => id),
            minSize: min,
            maxSize: max,
            desiredCapacity: size,
            healthCheckType: "EC2",
            // An empty list is explicit: if it were omitted, existing ones would stay.
            targetGroupArns: aws.ingress?.pools.includes(pool.name) ? targetGroups.map(({ arn }) => arn) : [],
            // `PoolWatch` waits until instances have become nodes.
            waitForCapacityTimeout: "0",
            tags: [...tagged, ...read.map(([key, value]) => ({ key, value, propagateAtLaunch: false }))],
        },
        {
            ...opts,
            hooks: joinHooks(
                identity.inEffect,
                localData.ofGroup(pool.name, fateOfInstances),
                watch.of({ name: pool.name, desired: group.scaling ? min : size }, ["afterCreate", "afterUpdate"]),
            ),
            // The autoscaler sets it.
            ignoreChanges: group.scaling ? ["desiredCapacity"] : [],
            dependsOn: [
                object,
                identity.policy,
                ...apiNames,
                ...network.ways,
                ...security.rules,
                // Its update starts the refresh: instances of another version are launched once the control plane has
                // it, and terminated once nothing waits for their nodes any more.
                ...(group.refresh ? [upgraded] : []),
            ],
        },
    );
    createDrainHook(created, resource, group, opts);
    return created;
}

/** Subnets of a pool. */
export function subnetsOf({ zones }: Pick<AwsPool, "zones">, { aws, network }: AwsNodes): readonly NetworkSubnet[] {
    // In a network of the stack, in the order of zones.
    return zones?.map((zone) => network.nodeSubnets[aws.zones.indexOf(zone)]!) ?? network.nodeSubnets;
}

/** Security groups, and no public address in existing subnets that assign them though nodes are private. */
function interfaceOf({ network, security }: AwsNodes) {
    const { nodes, workers } = security.groups;
    const groups = [nodes.id, workers.id, ...network.securityGroupIds];
    const { hidesNodes } = network;
    if (!hidesNodes) return { vpcSecurityGroupIds: groups };
    const hidden = { deviceIndex: 0, associatePublicIpAddress: "false", securityGroups: groups };
    return {
        vpcSecurityGroupIds: hidesNodes.apply((isHidden) => (isHidden ? undefined : groups)),
        networkInterfaces: hidesNodes.apply((isHidden) => (isHidden ? [hidden] : undefined)),
    };
}

/** Adds the provider's default tags, which it sets on what it creates itself, but not on what a group launches. */
function withDefaultTags(
    own: Readonly<Record<string, pulumi.Input<string>>>,
    { parent }: pulumi.CustomResourceOptions,
): pulumi.Output<Record<string, string>> {
    return pulumi.all([getDefaultTags({}, { parent }), own]).apply(([{ tags }, all]) => ({ ...tags, ...all }));
}

/** Where a pool's group is. */
interface Place {
    readonly cluster: string;
    readonly pool: string;
    readonly region: string;
}

const hookName = (group: string) => `${group}-drain`;

/** How a pool's instances learn that they are being terminated, and where they report that their nodes are drained. */
export function departuresOf(place: Place): Departures {
    const [name, { region }] = [groupName(place), place];
    const group = { name, hook: hookName(name), region, service: serviceUrl("autoscaling", region) };
    return { noticesFrom: metadataService, group };
}

/** Permissions of a pool's instances for that, limited to their own group. */
export function releasePermissions(place: Place): Allowance {
    return {
        actions: ["autoscaling:CompleteLifecycleAction"],
        resources: [arnsIn("autoscaling", place.region)(`autoScalingGroup:*:autoScalingGroupName/${groupName(place)}`)],
    };
}

/**
 * Makes a group wait until the node is drained before it terminates an instance: during a refresh, when it shrinks,
 * when it rebalances zones, and for an instance likely to be interrupted.
 *
 * A resource of its own, so that existing groups get it too, and so that in a cluster being destroyed it is deleted
 * before the groups terminate their instances.
 */
function createDrainHook(
    group: Group,
    resource: string,
    { drainSeconds }: Pick<AwsPool, "drainSeconds">,
    opts: pulumi.CustomResourceOptions,
): LifecycleHook {
    const name = hookName(resource);
    return new LifecycleHook(
        name,
        {
            name,
            autoscalingGroupName: group.name,
            lifecycleTransition: "autoscaling:EC2_INSTANCE_TERMINATING",
            heartbeatTimeout: drainSeconds,
            defaultResult: "CONTINUE",
        },
        { ...opts, deleteBeforeReplace: true },
    );
}

/** Root device of looked-up AMIs (Flatcar and Fedora CoreOS). */
const publishedRoot = "/dev/xvda";

/**
 * Root device of an image. Under another name, a launch template would add a blank volume and leave the image's root
 * volume with another size, and not encrypted.
 *
 * An AMI given by id is looked up: Ubuntu has `/dev/sda1`, Debian `/dev/xvda`. A deprecated one starts as well.
 */
function rootDeviceOf(
    { image }: Pick<AwsInstance, "image">,
    parent: pulumi.Resource | undefined,
): pulumi.Input<string> {
    if (!("id" in image)) return publishedRoot;
    const ask = (id: string) => {
        const filters = [{ name: "image-id", values: [id] }];
        return getAmi({ filters, includeDeprecated: true }, { parent });
    };
    return lookUpLate(image.id, ask, image.option, "an existing AMI in the region").rootDeviceName;
}
