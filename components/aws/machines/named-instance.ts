import { Instance } from "@pulumi/aws/ec2/instance";
import type { SecurityGroup } from "@pulumi/aws/ec2/securityGroup";
import * as pulumi from "@pulumi/pulumi";
import type { JoiningCredentials } from "../../../cluster/keys/credentials";
import type { Config } from "../../../ignition";
import type { MachineTokens } from "../../pki/machine-tokens";
import { takesHooks } from "../../pulumi/engine";
import { mustStay } from "../../pulumi/errors";
import { explained } from "../../pulumi/explained";
import { joinHooks } from "../../pulumi/hooks";
import { log } from "../../pulumi/log";
import type { SizeTurns } from "../../rolling-resize/hooks";
import type { LocalDataHooks } from "../../upgrade/local-data-hooks";
import { storeConfig } from "../buckets";
import type { NetworkSubnet } from "../model";
import { rootVolume } from "./disks";
import { metadataOptions } from "./instance-types";
import { keepArchitecture } from "./keep-architecture";
import type { AwsNodes } from "./nodes";
import { restartsInZone } from "./offers";

/** Properties that are fixed when an instance is created. */
const bootsWith = ["userData", "ami"];

/** Its disk is another one then. */
const rootKey = "rootBlockDevice.kmsKeyId";

export interface InstanceHooks {
    /** In which instances get another type. */
    readonly turns: SizeTurns;
    readonly localData: LocalDataHooks;
    /** Of its pool. @default none */
    readonly more?: pulumi.ResourceHookBinding;
}

/** An instance that the stack names: a controller, or a candidate for one. */
interface NamedInstance {
    readonly pool: string;
    readonly node: string;
    /** With the pool's options: `controllers`, `workerPools[0]`. */
    readonly option: string;
    readonly subnet: NetworkSubnet;
    /** Its security group, next to that of all nodes. */
    readonly groups: readonly SecurityGroup[];
    readonly configOf: (joining: JoiningCredentials) => Config | pulumi.Output<Config>;
    /** What must exist before it boots. @default nothing of its own */
    readonly after?: readonly pulumi.Resource[];
}

/**
 * An instance with the name of its node, which boots with a config once.
 *
 * A changed boot configuration does not change it, unless it is to be replaced.
 */
export function createInstance(
    nodes: AwsNodes,
    { pool, node, option, subnet, groups, configOf, after = [] }: NamedInstance,
    tokens: MachineTokens,
    hooks: InstanceHooks,
    opts: pulumi.CustomResourceOptions,
): Instance {
    const { aws, image, network, apiNames, identity, security, store, tags } = nodes;
    const { instanceType, disk: root, cpuCredits } = aws.instances[pool]!;
    const isRecreated = aws.recreate.includes(node);
    // So that controllers can get another architecture one after another.
    const keepsType = !isRecreated && aws.recreate.length > 0;
    const joining = tokens.joiningOf({ pool, node }, (without) => pulumi.all([configOf(without), image]));
    const config = joining.apply((each) => pulumi.output(configOf(each)));
    const { object, userData } = storeConfig(
        node,
        store,
        { aws, pool, config, isPinned: !isRecreated, proxy: nodes.cluster.proxy, tags },
        opts,
    );
    const vpcSecurityGroupIds = [security.groups.nodes, ...groups].map(({ id }) => id);
    const instance = new Instance(
        node,
        {
            ami: image,
            instanceType:
                aws.recreate.length > 0
                    ? instanceType
                    : keepArchitecture({ node, option, cluster: nodes.cluster.name }, instanceType, opts),
            subnetId: subnet.id,
            associatePublicIpAddress: aws.topology === "public",
            vpcSecurityGroupIds: [...vpcSecurityGroupIds, ...network.securityGroupIds],
            iamInstanceProfile: identity.profile.name,
            metadataOptions,
            rootBlockDevice: { ...rootVolume(root, aws.kmsKeyId), encrypted: true, tags: tags(node) },
            ...(cpuCredits && { creditSpecification: { cpuCredits } }),
            userData,
            tags: tags(node),
        },
        pulumi.mergeOptions(opts, {
            hooks: hooksOf(node, option, hooks, nodes),
            deleteBeforeReplace: true,
            // The subnet too: its zone depends on how many there were. Whether it has a public address is fixed with the
            // subnet. Otherwise all of them would be replaced at once.
            ignoreChanges: [
                ...(isRecreated ? [] : [...bootsWith, rootKey]),
                ...(keepsType ? ["instanceType"] : []),
                "subnetId",
                "associatePublicIpAddress",
            ],
            // AWS would restart the instance, which does not read any of it again.
            ...(isRecreated && { replaceOnChanges: bootsWith }),
            // It fetches its config when it boots and gives up soon.
            dependsOn: [object, ...after, identity.policy, ...apiNames, ...network.ways, ...security.rules],
        }),
    );
    mustStay("topology", aws.topology, topologyOf(instance, aws));
    if (keepsType) {
        instance.instanceType.apply(async (type) => {
            if (type === instanceType) return;
            await log.info(`${node} keeps the type ${type} as long as recreate lists only others`, instance);
        });
    }
    return instance;
}

function hooksOf(
    node: string,
    option: string,
    { turns, localData, more = {} }: InstanceHooks,
    { aws, account }: AwsNodes,
): pulumi.ResourceHookBinding {
    if (!takesHooks()) return {};
    const explaining = explained(node, (error) => capacityProblem(node, option, error));
    const restarts = restartsInZone({ node, option, region: aws.region, offers: account.offers });
    return joinHooks({ beforeUpdate: [restarts] }, turns.hooks, localData.ofMachine, explaining, more);
}

/**
 * What to do if EC2 does not start an instance, whose zone is fixed.
 *
 * @param option - with the pool's options: `controllers`
 */
export function capacityProblem(node: string, option: string, error: string): string | undefined {
    const type = `${option}.instanceType`;
    return noCapacity(node, type, error) ?? notOffered(node, type, error) ?? refusedByAccount(node, type, error);
}

function noCapacity(node: string, option: string, error: string): string | undefined {
    const [, type, zone] = /InsufficientInstanceCapacity.* sufficient (\S+) capacity .* \((\S+)\)/s.exec(error) ?? [];
    if (type === undefined) return undefined;
    const problem = `EC2 has no ${type} left in ${zone}, where ${node} must be`;
    const otherType = `set ${option} to one that ${zone} has`;
    // The provider records another type as soon as it has set it, and does not start the instance in the next run.
    return error.includes("starting EC2 Instance")
        ? `${problem}, so it stays stopped: ${otherType}, such as its former type, and run \`pulumi up\``
        : `${problem}: run \`pulumi up\` again later, or ${otherType}`;
}

/** Source: "Error codes for the Amazon EC2 API". */
function notOffered(node: string, option: string, error: string): string | undefined {
    const pattern = /Unsupported: .*instance type \((\S+)\) is not supported in .* Availability Zone \((\S+?)\)/s;
    const [, type, zone] = pattern.exec(error) ?? [];
    if (type === undefined) return undefined;
    return `${zone}, where ${node} must be, does not have ${type}: set ${option} to one that it has. In a cluster that you are just creating, you can also run \`pulumi destroy\` and choose other zones`;
}

/** The free plan's message has the same code as others, and is that of aws-samples/eks-workshop-v2#1644. */
function refusedByAccount(node: string, option: string, error: string): string | undefined {
    if (/VcpuLimitExceeded/.test(error)) {
        return `The account's quota of vCPUs has no room for ${node}: request a higher one for "Running On-Demand Standard instances" (quota L-1216C47A of EC2), and run \`pulumi up\` again`;
    }
    if (/not eligible for Free Tier/i.test(error)) {
        return `The account is on AWS' free plan, which does not have the instance type of ${node}: set ${option} to one of those that \`aws ec2 describe-instance-types --filters Name=free-tier-eligible,Values=true --query 'InstanceTypes[].InstanceType'\` prints, with 2 GiB of memory or more, or upgrade the account's plan`;
    }
    return undefined;
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
