import type { Instance } from "@pulumi/aws/ec2/instance";
import type { TargetGroup } from "@pulumi/aws/lb/targetGroup";
import * as pulumi from "@pulumi/pulumi";
import { joiningWorker } from "../../../cluster/machines/joining-configs";
import { type Cluster, isCandidatePool, type WorkerPool } from "../../../cluster/model";
import type { MachineTokens } from "../../pki/machine-tokens";
import type { PoolWatch } from "../../pool-watch/watch";
import { joinHooks } from "../../pulumi/hooks";
import { attachToIngress } from "../network/load-balancer";
import { createInstance, type InstanceHooks } from "./named-instance";
import type { AwsNodes } from "./nodes";
import { startsInZone } from "./offers";
import { subnetsOf } from "./workers";

interface CandidateHooks extends Omit<InstanceHooks, "more"> {
    readonly watch: PoolWatch;
    /** Target groups of ingress. */
    readonly targetGroups: readonly TargetGroup[];
}

/**
 * Instances of the pools whose nodes may become controllers, by node.
 *
 * They are no Auto Scaling groups, because all that a controller needs is prepared for its name and its address: a member
 * of etcd, certificates, a target of the API's load balancer. Their roles are those of workers, also while they are
 * controllers.
 */
export function createCandidates(
    cluster: Cluster,
    nodesOf: (pool: string) => AwsNodes,
    tokens: MachineTokens,
    hooks: CandidateHooks,
    opts: pulumi.CustomResourceOptions,
): Record<string, Instance> {
    const pools = cluster.workerPools.filter((pool) => isCandidatePool(cluster, pool));
    return Object.assign({}, ...pools.map((pool) => createPool(nodesOf(pool.name), pool, tokens, hooks, opts)));
}

/** Spread across the pool's zones. */
function createPool(
    nodes: AwsNodes,
    pool: WorkerPool,
    tokens: MachineTokens,
    { watch, targetGroups, ...hooks }: CandidateHooks,
    opts: pulumi.CustomResourceOptions,
): Record<string, Instance> {
    const { aws, account, identity, security } = nodes;
    const { option, ...place } = aws.candidatePools[pool.name]!;
    const subnets = subnetsOf(place, nodes);
    const joins = watch.of({ name: pool.name, nodes: pool.nodes, desired: pool.nodes.length }, ["afterCreate"]);
    const more = joinHooks(identity.inEffect, joins);
    const { instanceType } = aws.instances[pool.name]!;
    const create = (node: string, index: number) => {
        const subnet = subnets[index % subnets.length]!;
        const placed = { node, option, region: aws.region, offers: account.offers };
        const instance = createInstance(
            nodes,
            {
                pool: pool.name,
                node,
                option,
                subnet,
                groups: [security.groups.workers, security.groups.candidates!],
                configOf: (joining) => joiningWorker(nodes, pool, joining, node),
            },
            tokens,
            { ...hooks, more },
            pulumi.mergeOptions(opts, startsInZone(instanceType, placed, subnet.availabilityZone)),
        );
        if (aws.ingress?.pools.includes(pool.name)) attachToIngress(node, instance.id, targetGroups, opts);
        return instance;
    };
    return Object.fromEntries(pool.nodes.map((node, index) => [node, create(node, index)]));
}
