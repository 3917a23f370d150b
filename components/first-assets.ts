import * as pulumi from "@pulumi/pulumi";
import { bundleAgent } from "../agents/bundle";
import { type Bundle, bundle } from "../ignition";
import type { Credentials } from "./cluster/credentials";
import type { Cluster } from "./cluster/model";
import type { ControllerMachine } from "./etcd-members";
import { bootstrapAssets } from "./nodes/bootstrap-assets";
import type { EtcdStart } from "./nodes/etcd";

/** What starts the cluster on its first controller, or only where its etcd's data are: with `existing`. */
export function firstAssets(
    cluster: Cluster,
    { name, address: given }: Pick<ControllerMachine, "name" | "address">,
    credentials: pulumi.Output<Credentials>,
    initialClusterState: EtcdStart["initialClusterState"] = "new",
): pulumi.Output<Bundle> {
    const agents = {
        agent: bundleAgent("bootstrap"),
        checkpointer: bundleAgent("checkpointer"),
        nodeApprover: bundleAgent("node-approver"),
    };
    return pulumi
        .all([given, credentials])
        .apply(([address, secrets]) =>
            bundle(bootstrapAssets(cluster, { machine: { name, address }, secrets, initialClusterState, ...agents })),
        );
}
