import type { Provider } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import { bundleAgent } from "../agents/bundle";
import type { NodePools, PooledInstances } from "../agents/node-approver/plan";
import type { ApproverCredentials } from "./cluster/credentials";
import type { Cluster } from "./cluster/model";
import { namedPools, nodeApprover, nodePoolsConfig } from "./control-plane/node-approver";
import { kubernetesObject, rolloutTimeouts } from "./kubernetes-object";

/** Worker pools whose machines their cloud names, and where it is asked about them. */
export interface PooledMachines {
    /** Names of the cloud's groups, by the pool's. */
    readonly groups: Readonly<Record<string, string>>;
    readonly instances: PooledInstances;
}

export interface NodeApprovalArgs {
    readonly cluster: Cluster;
    readonly approver: pulumi.Output<ApproverCredentials>;
    /** @default - the stack names all nodes */
    readonly pooled?: PooledMachines;
    readonly provider: Provider;
    /** The resource whose loss kills the cluster, and so everything in it. */
    readonly deletedWith: pulumi.Resource;
}

/** Admits machines as nodes: those that the stack or its cloud knows, and no others that have a token. */
export class NodeApproval extends pulumi.ComponentResource {
    /** Which nodes there may be. A node that leaves is admitted until this is updated. */
    readonly pools: pulumi.Resource;

    constructor(name: string, args: NodeApprovalArgs, opts?: pulumi.ComponentResourceOptions) {
        super("tradewind:index:NodeApproval", name, {}, opts);
        const { cluster, approver, pooled, provider, deletedWith } = args;
        const owner = { parent: this, provider, deletedWith, customTimeouts: rolloutTimeouts(cluster) };
        this.pools = kubernetesObject(name, nodePoolsConfig(nodePools(cluster, pooled)), owner);
        const options = { agent: bundleAgent("node-approver"), asksEc2: pooled !== undefined };
        const manifests = approver.apply((secrets) => nodeApprover(cluster, secrets, options));
        const before: pulumi.Resource[] = [this.pools];
        nodeApprover(cluster, placeholder, options).forEach((shape, index) => {
            const field = (key: string) => manifests.apply((all) => all[index]?.[key]);
            // Known later is what has the certificate in it, or its hash.
            const fields =
                shape.kind === "Secret"
                    ? { data: field("data") }
                    : shape.kind === "DaemonSet"
                      ? { spec: pulumi.unsecret(field("spec")) }
                      : {};
            const dependsOn = shape.kind === "DaemonSet" ? [...before] : [];
            before.push(kubernetesObject(name, shape, { ...owner, dependsOn }, fields));
        });
        this.registerOutputs({});
    }
}

const placeholder: ApproverCredentials = { kubernetesCa: { cert: "" }, nodeApprover: { cert: "", key: "" } };

function nodePools(cluster: Cluster, pooled: PooledMachines | undefined): NodePools {
    if (pooled === undefined) return namedPools(cluster);
    const groups = Object.entries(pooled.groups).map(([pool, group]) => [pool, { group }]);
    return {
        pools: { ...namedPools(cluster, Object.keys(pooled.groups)).pools, ...Object.fromEntries(groups) },
        instances: pooled.instances,
    };
}
