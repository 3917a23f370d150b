import type { Provider } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import { bundleAgent } from "../agents/bundle";
import { defaultLimits } from "../agents/node-agent/plan";
import type { MachineGroups } from "./cluster/machine-groups";
import { type Cluster, nodesByPool } from "./cluster/model";
import { nodeAgent } from "./control-plane/node-agent";
import { kubernetesObject, rolloutTimeouts } from "./kubernetes-object";
import type { NodeDownloads } from "./nodes/downloads";

export interface NodeAgentsArgs {
    readonly cluster: Cluster;
    /** What the machines of a pool fetch; `controller` is one. */
    readonly downloads: (pool: string) => NodeDownloads;
    /** Worker pools whose machines come at any time. @default none */
    readonly groups?: MachineGroups;
    readonly provider: Provider;
    /** What is to have its version first. */
    readonly after: pulumi.Resource;
    /** The resource whose loss kills the cluster, and so everything in it. */
    readonly deletedWith: pulumi.Resource;
}

/** The kubelets of all nodes at the cluster's version: those of controllers one by one, then pool by pool. */
export class NodeAgents extends pulumi.ComponentResource {
    constructor(name: string, args: NodeAgentsArgs, opts?: pulumi.ComponentResourceOptions) {
        super("tradewind:index:NodeAgents", name, {}, opts);
        const { cluster, downloads, groups, provider, after, deletedWith } = args;
        const program = bundleAgent("node-agent");
        let before = [after];
        for (const [pool, nodes] of Object.entries(nodesByPool(cluster))) {
            const { maxUnavailable = 1, drainSeconds } =
                cluster.workerPools.find(({ name: each }) => each === pool) ?? {};
            const customTimeouts = rolloutTimeouts(
                withDrain(cluster, drainSeconds),
                Math.ceil((groups?.max[pool] ?? nodes.length) / maxUnavailable),
            );
            const owner = { parent: this, provider, deletedWith, customTimeouts };
            const departures = groups?.departures?.[pool];
            const agents = { pool, downloads: downloads(pool), maxUnavailable, drainSeconds, departures };
            for (const manifest of nodeAgent(cluster, agents, program)) {
                before = [kubernetesObject(name, manifest, { ...owner, dependsOn: before })];
            }
        }
        this.registerOutputs({});
    }
}

/** What a drain may take beyond the usual is waited for on top, node by node. */
function withDrain({ rolloutSeconds }: Cluster, drainSeconds: number = defaultLimits.drain) {
    return { rolloutSeconds: rolloutSeconds + Math.max(0, drainSeconds - defaultLimits.drain) };
}
