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
import { explained } from "../../pulumi/explained";
import { joinHooks } from "../../pulumi/hooks";
import { log } from "../../pulumi/log";
import type { SizeTurns } from "../../rolling-resize/hooks";
import type { LocalDataHooks } from "../../upgrade/local-data-hooks";
import type { AwsAccount } from "../account";
import { type ConfigStore, poolFolder, storeConfig } from "../buckets";
import { createCloudPermissions } from "../iam/permissions";
import type { Aws, NetworkSubnet } from "../model";
import { type Tags, withoutDefaultTags } from "../tags";
import { rootVolume } from "./disks";
import { metadataOptions } from "./instance-types";
import { keepArchitecture } from "./keep-architecture";
import type { AwsNodes } from "./nodes";
import { restartsInZone, startsInZone } from "./offers";

const pool = "controller";

/** Properties that are fixed when an instance is created. */
const bootsWith = ["userData", "ami"];

/** Its disk is another one then. */
const rootKey = "rootBlockDevice.kmsKeyId";

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
 *
 * A changed boot configuration does not change an instance, unless it is to be replaced.
 */
export function createControllers(
    nodes: AwsNodes,
    tokens: MachineTokens,
    hooks: ControllerHooks,
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

interface ControllerHooks {
    /** In which instances get another type. */
    readonly turns: SizeTurns;
    readonly localData: LocalDataHooks;
}

interface ControllerPlace {
    readonly node: string;
    readonly index: number;
    readonly tokens: MachineTokens;
    readonly hooks: ControllerHooks;
}

function hooksOf(
    node: string,
    { turns, localData }: ControllerHooks,
    { aws, account }: AwsNodes,
): pulumi.ResourceHookBinding {
    if (!takesHooks()) return {};
    const explaining = explained(node, (error) => capacityProblem(node, error));
    const restarts = restartsInZone({ node, region: aws.region, offers: account.offers });
    return joinHooks({ beforeUpdate: [restarts] }, turns.hooks, localData.ofMachine, explaining);
}

/** What to do if EC2 does not start an instance: a controller's zone is fixed by its etcd volume. */
export function capacityProblem(node: string, error: string): string | undefined {
    return noCapacity(node, error) ?? notOffered(node, error) ?? refusedByAccount(node, error);
}

function noCapacity(node: string, error: string): string | undefined {
    const [, type, zone] = /InsufficientInstanceCapacity.* sufficient (\S+) capacity .* \((\S+)\)/s.exec(error) ?? [];
    if (type === undefined) return undefined;
    const problem = `EC2 has no ${type} left in ${zone}, where ${node} must be`;
    const otherType = `set controllers.instanceType to one that ${zone} has`;
    // The provider records another type as soon as it has set it, and does not start the instance in the next run.
    return error.includes("starting EC2 Instance")
        ? `${problem}, so it stays stopped: ${otherType}, such as its former type, and run \`pulumi up\``
        : `${problem}: run \`pulumi up\` again later, or ${otherType}`;
}

/** Source: "Error codes for the Amazon EC2 API". */
function notOffered(node: string, error: string): string | undefined {
    const pattern = /Unsupported: .*instance type \((\S+)\) is not supported in .* Availability Zone \((\S+?)\)/s;
    const [, type, zone] = pattern.exec(error) ?? [];
    if (type === undefined) return undefined;
    return `${zone}, where ${node} must be, does not have ${type}: set controllers.instanceType to one that it has. In a cluster that you are just creating, you can also run \`pulumi destroy\` and choose other zones`;
}

/** The free plan's message has the same code as others, and is that of aws-samples/eks-workshop-v2#1644. */
function refusedByAccount(node: string, error: string): string | undefined {
    if (/VcpuLimitExceeded/.test(error)) {
        return `The account's quota of vCPUs has no room for ${node}: request a higher one for "Running On-Demand Standard instances" (quota L-1216C47A of EC2), and run \`pulumi up\` again`;
    }
    if (/not eligible for Free Tier/i.test(error)) {
        return `The account is on AWS' free plan, which does not have the instance type of ${node}: set controllers.instanceType to one of those that \`aws ec2 describe-instance-types --filters Name=free-tier-eligible,Values=true --query 'InstanceTypes[].InstanceType'\` prints, with 2 GiB of memory or more, or upgrade the account's plan`;
    }
    return undefined;
}

function createController(
    nodes: AwsNodes,
    { node, index, tokens, hooks }: ControllerPlace,
    opts: pulumi.CustomResourceOptions,
): AwsController {
    const { aws, account, image, network, apiNames, identity, security, store, tags } = nodes;
    const { instanceType, disk: root, cpuCredits } = aws.instances[pool]!;
    const isRecreated = aws.recreate.includes(node);
    // So that controllers can get another architecture one after another.
    const keepsType = !isRecreated && aws.recreate.length > 0;
    const subnet = network.nodeSubnets[index % network.nodeSubnets.length]!;
    const etcd = createEtcdDisk(node, { pool, aws, account, subnet, store, tags }, opts);
    const configOf = (joining: JoiningCredentials) =>
        pulumi.output(etcd.disk).apply((disk) => joiningController(nodes, node, joining, disk));
    const joining = tokens.joiningOf({ pool, node }, (without) => pulumi.all([configOf(without), image]));
    const config = joining.apply(configOf);
    const { object, userData } = storeConfig(
        node,
        store,
        { aws, pool, config, isPinned: !isRecreated, proxy: nodes.cluster.proxy, tags },
        opts,
    );
    const { nodes: nodeGroup, controllers: controllerGroup } = security.groups;
    const instance = new Instance(
        node,
        {
            ami: image,
            instanceType:
                aws.recreate.length > 0 ? instanceType : keepArchitecture(node, instanceType, opts, nodes.cluster.name),
            subnetId: subnet.id,
            associatePublicIpAddress: aws.topology === "public",
            vpcSecurityGroupIds: [nodeGroup.id, controllerGroup.id, ...network.securityGroupIds],
            iamInstanceProfile: identity.profile.name,
            metadataOptions,
            rootBlockDevice: { ...rootVolume(root, aws.kmsKeyId), encrypted: true, tags: tags(node) },
            ...(cpuCredits && { creditSpecification: { cpuCredits } }),
            userData,
            tags: tags(node),
        },
        {
            ...opts,
            hooks: hooksOf(node, hooks, nodes),
            deleteBeforeReplace: true,
            // The subnet too: a controller's zone depends on how many there were. Whether it has a public address is
            // fixed with the subnet. Otherwise all controllers would be replaced at once.
            ignoreChanges: [
                ...(isRecreated ? [] : [...bootsWith, rootKey]),
                ...(keepsType ? ["instanceType"] : []),
                "subnetId",
                "associatePublicIpAddress",
            ],
            // AWS would restart the instance, which does not read any of it again.
            ...(isRecreated && { replaceOnChanges: bootsWith }),
            // It fetches its config when it boots and gives up soon.
            dependsOn: [object, etcd.object, identity.policy, ...apiNames, ...network.ways, ...security.rules],
        },
    );
    mustStay("topology", aws.topology, topologyOf(instance, aws));
    if (keepsType) {
        instance.instanceType.apply(async (type) => {
            if (type === instanceType) return;
            await log.info(`${node} keeps the type ${type} as long as recreate lists only others`, instance);
        });
    }
    mustHaveHome(node, etcd.volume, aws);
    return { instance, etcdDisk: attachEtcdDisk(node, etcd, instance, opts) };
}

/**
 * A stopped instance has no public address, so the provider reports it as created without one. Then nothing can be
 * concluded.
 */
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
            startsInZone(aws.instances[pool]!.instanceType, { node, region: aws.region, offers: account.offers }),
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
