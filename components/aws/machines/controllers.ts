import { Volume } from "@pulumi/aws/ebs/volume";
import type { Instance } from "@pulumi/aws/ec2/instance";
import { VolumeAttachment } from "@pulumi/aws/ec2/volumeAttachment";
import { BucketObjectv2 } from "@pulumi/aws/s3/bucketObjectv2";
import * as pulumi from "@pulumi/pulumi";
import type { EtcdDisk } from "../../../cluster/machines/etcd-disk";
import { joiningController } from "../../../cluster/machines/joining-configs";
import type { MachineTokens } from "../../pki/machine-tokens";
import { checked } from "../../pulumi/errors";
import type { AwsAccount } from "../account";
import { type ConfigStore, poolFolder } from "../buckets";
import { createCloudPermissions } from "../iam/permissions";
import type { Aws, NetworkSubnet } from "../model";
import { type Tags, withoutDefaultTags } from "../tags";
import { createInstance, type InstanceHooks } from "./named-instance";
import type { AwsNodes } from "./nodes";
import { startsInZone } from "./offers";

const pool = "controller";
const option = "controllers";

interface AwsControllers {
    /** By name, starting with the one that the control plane starts on. */
    readonly byName: Readonly<Record<string, AwsController>>;
    /** Permissions in AWS of the controllers that run there. */
    readonly cloudPermissions: readonly pulumi.Resource[];
}

interface AwsController {
    readonly instance: Instance;
    /** The instance waits for it. */
    readonly etcdDisk: VolumeAttachment;
}

/**
 * The controllers' instances with their etcd volumes, spread across the zones, starting with the one that the control
 * plane starts on.
 */
export function createControllers(
    nodes: AwsNodes,
    tokens: MachineTokens,
    hooks: InstanceHooks,
    opts: pulumi.CustomResourceOptions,
): AwsControllers {
    const { cluster, identity } = nodes;
    const cloudPermissions = createCloudPermissions(nodes, identity.role, opts);
    const byName = cluster.controllers.names.map((node, index) => [
        node,
        createController(nodes, { node, index, tokens, hooks }, opts),
    ]);
    return { byName: Object.fromEntries(byName), cloudPermissions };
}

interface ControllerPlace {
    readonly node: string;
    readonly index: number;
    readonly tokens: MachineTokens;
    readonly hooks: InstanceHooks;
}

function createController(
    nodes: AwsNodes,
    { node, index, tokens, hooks }: ControllerPlace,
    opts: pulumi.CustomResourceOptions,
): AwsController {
    const { aws, account, network, security, store, tags } = nodes;
    const subnet = network.nodeSubnets[index % network.nodeSubnets.length]!;
    const etcd = createEtcdDisk(node, { pool, aws, account, subnet, store, tags }, opts);
    const instance = createInstance(
        nodes,
        {
            pool,
            node,
            option,
            subnet,
            groups: [security.groups.controllers],
            configOf: (joining) =>
                pulumi.output(etcd.disk).apply((disk) => joiningController(nodes, node, joining, disk)),
            after: [etcd.object],
        },
        tokens,
        hooks,
        opts,
    );
    mustHaveHome(node, etcd.volume, aws);
    return { instance, etcdDisk: attachEtcdDisk(node, etcd, instance, opts) };
}

type Places = Pick<Aws, "region" | "zones" | "existing">;

/** Refuses, at preview, options that exclude a controller's zone: its etcd volume cannot move. */
function mustHaveHome(node: string, volume: Volume, aws: Places): pulumi.Output<string> {
    // The volume ignores changes of its zone, so this is where it is.
    return volume.availabilityZone.apply((zone) => checked(() => requireHome(node, zone, aws)));
}

/** Throws `zones must include c, where c-controller-2 is (got a, b)`. */
export function requireHome(node: string, zone: string, { region, zones, existing }: Places): string {
    if (!zone.startsWith(region)) {
        throw new Error(`region cannot be changed after creation (${node} is in ${zone}, got ${region})`);
    }
    const letter = zone.slice(region.length);
    if (!existing && !zones.some((each) => each === letter)) {
        throw new Error(`zones must include ${letter}, where ${node} is (got ${zones.join(", ")})`);
    }
    return zone;
}

/** The first of the names that EC2 recommends. Current instance types name volumes by their ids. */
const deviceName = "/dev/sdf";

interface AwsEtcdDisk {
    readonly volume: Volume;
    readonly disk: pulumi.Output<EtcdDisk>;
    /** What must exist before the instance boots. */
    readonly object: BucketObjectv2;
}

interface AwsEtcdDiskArgs {
    readonly pool: string;
    readonly aws: Pick<Aws, "etcdDisk" | "kmsKeyId" | "region" | "instances">;
    readonly account: Pick<AwsAccount, "offers">;
    readonly subnet: NetworkSubnet;
    readonly store: ConfigStore;
    readonly tags: Tags;
}

/** A controller's etcd volume: it is kept when the instance is replaced, and deleted with the controller. */
function createEtcdDisk(
    node: string,
    { pool, aws, account, subnet, store, tags }: AwsEtcdDiskArgs,
    opts: pulumi.CustomResourceOptions,
): AwsEtcdDisk {
    const name = `${node}-etcd`;
    const volume = new Volume(
        name,
        {
            availabilityZone: subnet.availabilityZone,
            ...aws.etcdDisk,
            encrypted: true,
            ...(aws.kmsKeyId && { kmsKeyId: aws.kmsKeyId }),
            tags: tags(name),
        },
        // In another zone or with another key it would be another, blank volume.
        pulumi.mergeOptions(
            { ...opts, ignoreChanges: ["availabilityZone", "encrypted", "kmsKeyId"] },
            startsInZone(aws.instances[pool]!.instanceType, {
                node,
                option,
                region: aws.region,
                offers: account.offers,
            }),
        ),
    );
    // Separate from the instance's config, which never changes, so that a lost volume can be replaced.
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
 * Attaches the volume to an instance, which waits for it at boot.
 *
 * It is detached when EC2 terminates the instance, after shutting it down. The provider could stop the instance itself,
 * but fails if it is already terminated.
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

/** Device path of a volume on a Nitro instance. Source: EC2's documentation of device names. */
function devicePath(volumeId: string): string {
    return `/dev/disk/by-id/nvme-Amazon_Elastic_Block_Store_${volumeId.replace("-", "")}`;
}
