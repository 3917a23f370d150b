import { Volume } from "@pulumi/aws/ebs/volume";
import { Instance } from "@pulumi/aws/ec2/instance";
import { VolumeAttachment } from "@pulumi/aws/ec2/volumeAttachment";
import { BucketObjectv2 } from "@pulumi/aws/s3/bucketObjectv2";
import * as pulumi from "@pulumi/pulumi";
import type { JoiningCredentials } from "../../../cluster/keys/credentials";
import type { EtcdDisk } from "../../../cluster/machines/etcd-disk";
import { joiningController } from "../../../cluster/machines/joining-configs";
import type { MachineTokens } from "../../pki/machine-tokens";
import { takesHooks } from "../../pulumi/engine";
import { checked, mustStay } from "../../pulumi/errors";
import type { SizeTurns } from "../../rolling-resize/hooks";
import { type ConfigStore, poolFolder, storeConfig } from "../buckets";
import { createIdentity, type PoolIdentity } from "../iam/identity";
import { createCloudRights } from "../iam/rights";
import type { Aws, NetworkSubnet } from "../model";
import { type Tags, withoutDefaultTags } from "../tags";
import { keepsArchitecture, metadataOptions, volumeType } from "./instance-types";
import type { AwsNodes } from "./nodes";

const pool = "controller";

/** What an instance has from when it was made. */
const bootsWith = ["userData", "ami"];

interface AwsControllers {
    /** By their names, the one on which the control plane starts first at the beginning. */
    readonly byName: Readonly<Record<string, AwsController>>;
    /** What the cluster's own controllers that run there may do in AWS. */
    readonly cloudRights: readonly pulumi.Resource[];
}

interface AwsController {
    readonly instance: Instance;
    /** Without it the instance waits. */
    readonly etcdDisk: VolumeAttachment;
}

/**
 * The controllers' instances with their volumes of etcd, spread over the zones, the one on which the control plane starts first.
 *
 * What an instance boots with never changes it, unless it is to be made anew.
 */
export function createControllers(
    nodes: AwsNodes,
    tokens: MachineTokens,
    turns: SizeTurns,
    opts: pulumi.CustomResourceOptions,
): AwsControllers {
    const { cluster, store, tags } = nodes;
    const identity = createIdentity(cluster.name, { pool, store, tags }, opts);
    const cloudRights = createCloudRights(nodes, identity.role, opts);
    const byName = cluster.controllers.names.map((node, index) => [
        node,
        createController(nodes, { node, index, identity, tokens, turns }, opts),
    ]);
    return { byName: Object.fromEntries(byName), cloudRights };
}

interface ControllerPlace {
    readonly node: string;
    readonly index: number;
    readonly identity: PoolIdentity;
    readonly tokens: MachineTokens;
    readonly turns: SizeTurns;
}

function hooksOf(node: string, turns: SizeTurns): pulumi.ResourceHookBinding {
    if (!takesHooks()) return {};
    const { beforeUpdate = [], ...others } = turns.hooksOf(node);
    return { beforeUpdate: [keepsArchitecture(node), ...beforeUpdate], ...others };
}

function createController(
    nodes: AwsNodes,
    { node, index, identity, tokens, turns }: ControllerPlace,
    opts: pulumi.CustomResourceOptions,
): AwsController {
    const { aws, image, network, apiNames, security, store, tags } = nodes;
    const { instanceType, diskSize } = aws.instances[pool]!;
    const isMadeAnew = aws.madeAnew.includes(node);
    const subnet = network.nodeSubnets[index % network.nodeSubnets.length]!;
    const etcd = createEtcdDisk(node, { pool, size: aws.etcdDiskSize, subnet, store, tags }, opts);
    const configOf = (joining: JoiningCredentials) =>
        pulumi.output(etcd.disk).apply((disk) => joiningController(nodes, node, joining, disk));
    const joining = tokens.joiningOf({ pool, node }, (without) => pulumi.all([configOf(without), image]));
    const config = joining.apply(configOf);
    const { object, userData } = storeConfig(node, store, { aws, pool, config, isPinned: !isMadeAnew, tags }, opts);
    const { nodes: nodeGroup, controllers: controllerGroup } = security.groups;
    const instance = new Instance(
        node,
        {
            ami: image,
            instanceType,
            subnetId: subnet.id,
            associatePublicIpAddress: aws.topology === "public",
            vpcSecurityGroupIds: [nodeGroup.id, controllerGroup.id],
            iamInstanceProfile: identity.profile.name,
            metadataOptions,
            rootBlockDevice: { volumeType, volumeSize: diskSize, encrypted: true, tags: tags(node) },
            userData,
            tags: tags(node),
        },
        {
            ...opts,
            hooks: hooksOf(node, turns),
            deleteBeforeReplace: true,
            // Its place too: which zone a controller has depends on how many there were. Whether it has a public address is
            // fixed with that: all controllers would be replaced at once.
            ignoreChanges: [...(isMadeAnew ? [] : bootsWith), "subnetId", "associatePublicIpAddress"],
            // AWS would restart the instance, which reads none of it again.
            ...(isMadeAnew && { replaceOnChanges: bootsWith }),
            // It fetches its config when it boots, and does not try for long.
            dependsOn: [object, etcd.object, identity.policy, ...apiNames, ...network.ways, ...security.rules],
        },
    );
    mustStay("topology", aws.topology, topologyOf(instance, aws));
    mustHaveHome(node, etcd.volume, aws);
    return { instance, etcdDisk: attachEtcdDisk(node, etcd, instance, opts) };
}

/** A stopped instance has no public address, which Pulumi's provider takes for one that was made without: then nothing tells. */
function topologyOf(
    { associatePublicIpAddress, instanceState }: Instance,
    { topology }: AwsNodes["aws"],
): pulumi.Output<AwsNodes["aws"]["topology"]> {
    return pulumi.all([associatePublicIpAddress, instanceState]).apply(([isPublic, state]) => {
        if (isPublic) return "public";
        return /^stop/.test(state) ? topology : "private";
    });
}

type Places = Pick<Aws, "region" | "zones" | "existing">;

/** Refuses, in preview, options without the place where a controller is: its volume of etcd goes nowhere else. */
function mustHaveHome(node: string, volume: Volume, aws: Places): pulumi.Output<string> {
    // The volume ignores changes of it, so that this is where it is.
    return volume.availabilityZone.apply((zone) => checked(() => requireHome(node, zone, aws)));
}

/** Throws `zones must hold c, where c-controller-2 is, got a, b`. */
export function requireHome(node: string, zone: string, { region, zones, existing }: Places): string {
    if (!zone.startsWith(region)) {
        throw new Error(`region must stay that of ${node}, which is in ${zone}, got ${region}: it is chosen once`);
    }
    const letter = zone.slice(region.length);
    if (!existing && !zones.some((each) => each === letter)) {
        throw new Error(`zones must hold ${letter}, where ${node} is, got ${zones.join(", ")}`);
    }
    return zone;
}

/** The first of the names that EC2 recommends; an instance of today shows a volume by its id. */
const deviceName = "/dev/sdf";

interface AwsEtcdDisk {
    readonly volume: Volume;
    readonly disk: pulumi.Output<EtcdDisk>;
    /** What has to be there before the instance boots. */
    readonly object: BucketObjectv2;
}

interface AwsEtcdDiskArgs {
    readonly pool: string;
    readonly size: number;
    readonly subnet: NetworkSubnet;
    readonly store: ConfigStore;
    readonly tags: Tags;
}

/** The volume of a controller's etcd: it stays when the instance is made anew, and goes with the controller. */
function createEtcdDisk(
    node: string,
    { pool, size, subnet, store, tags }: AwsEtcdDiskArgs,
    opts: pulumi.CustomResourceOptions,
): AwsEtcdDisk {
    const name = `${node}-etcd`;
    const volume = new Volume(
        name,
        { availabilityZone: subnet.availabilityZone, type: volumeType, size, encrypted: true, tags: tags(name) },
        // Nothing but its size may change it: another zone would be another volume, a blank one.
        { ...opts, ignoreChanges: ["availabilityZone", "encrypted"] },
    );
    // Apart from the instance's config, which stays as it was first made: another volume may come in the place of a lost one.
    const object = new BucketObjectv2(
        name,
        {
            bucket: store.bucket.id,
            key: `${poolFolder(pool)}/${name}`,
            content: volume.id.apply((id) => `${devicePath(id)}\n`),
            contentType: "text/plain",
            serverSideEncryption: "AES256",
            overrideProvider: withoutDefaultTags,
            tags: tags(name),
        },
        { ...opts, dependsOn: [...store.isClosed] },
    );
    const source = pulumi.interpolate`s3://${store.bucket.id}/${object.key}`;
    return { volume, object, disk: source.apply((url) => ({ source: url })) };
}

/**
 * Attaches the volume to an instance, which waits for it when it boots.
 *
 * It is detached when EC2 terminates the instance, which it shuts down before. The provider could stop the instance itself,
 * and fails if that is terminated already.
 */
function attachEtcdDisk(
    node: string,
    { volume }: AwsEtcdDisk,
    instance: Instance,
    opts: pulumi.CustomResourceOptions,
): VolumeAttachment {
    return new VolumeAttachment(
        `${node}-etcd`,
        { deviceName, volumeId: volume.id, instanceId: instance.id, skipDestroy: true },
        { ...opts, deleteBeforeReplace: true },
    );
}

/** Where an instance of the Nitro system has a volume. Source: EC2's documentation of device names. */
function devicePath(volumeId: string): string {
    return `/dev/disk/by-id/nvme-Amazon_Elastic_Block_Store_${volumeId.replace("-", "")}`;
}
