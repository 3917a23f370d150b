import { Volume } from "@pulumi/aws/ebs/volume";
import type { Instance } from "@pulumi/aws/ec2/instance";
import { VolumeAttachment } from "@pulumi/aws/ec2/volumeAttachment";
import { BucketObjectv2 } from "@pulumi/aws/s3/bucketObjectv2";
import * as pulumi from "@pulumi/pulumi";
import type { EtcdDisk } from "../nodes/etcd-disk";
import { type ConfigStore, poolFolder } from "./config-store";
import { volumeType } from "./instance-options";
import type { NetworkSubnet } from "./network";
import { type Tags, withoutDefaultTags } from "./tags";

/** The first of the names that EC2 recommends; an instance of today shows a volume by its id. */
const deviceName = "/dev/sdf";

export interface AwsEtcdDisk {
    readonly volume: Volume;
    readonly disk: pulumi.Output<EtcdDisk>;
    /** What has to be there before the instance boots. */
    readonly object: BucketObjectv2;
}

export interface AwsEtcdDiskArgs {
    readonly pool: string;
    readonly size: number;
    readonly subnet: NetworkSubnet;
    readonly store: ConfigStore;
    readonly tags: Tags;
}

/** The volume of a controller's etcd: it stays when the instance is made anew, and goes with the controller. */
export function createEtcdDisk(
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
export function attachEtcdDisk(
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
