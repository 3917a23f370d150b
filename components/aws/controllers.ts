import { Instance } from "@pulumi/aws/ec2/instance";
import type { VolumeAttachment } from "@pulumi/aws/ec2/volumeAttachment";
import * as pulumi from "@pulumi/pulumi";
import type { JoiningCredentials } from "../cluster/credentials";
import type { MachineTokens } from "../machine-tokens";
import type { SizeTurns } from "../machine-turns/hooks";
import { mustStay } from "../must-stay";
import { joiningController } from "../nodes/joining-configs";
import { takesHooks } from "../takes-hooks";
import { createCloudRights } from "./cloud-rights";
import { storeConfig } from "./config-store";
import { attachEtcdDisk, createEtcdDisk } from "./etcd-disks";
import { mustHaveHome } from "./home";
import { createIdentity, type PoolIdentity } from "./identity";
import { metadataOptions, volumeType } from "./instance-options";
import type { AwsNodes } from "./nodes";
import { keepsArchitecture } from "./same-architecture";

const pool = "controller";

/** What an instance has from when it was made. */
const bootsWith = ["userData", "ami"];

export interface AwsControllers {
    /** By their names, the one on which the control plane starts first at the beginning. */
    readonly byName: Readonly<Record<string, AwsController>>;
    /** What the cluster's own controllers that run there may do in AWS. */
    readonly cloudRights: readonly pulumi.Resource[];
}

export interface AwsController {
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
