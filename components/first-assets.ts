import * as pulumi from "@pulumi/pulumi";
import { bundleAgent } from "../agents/bundle";
import { type Bundle, bundle } from "../ignition";
import type { Credentials } from "./cluster/credentials";
import type { Cluster } from "./cluster/model";
import type { ControllerMachine } from "./etcd-members";
import { bootstrapAssets } from "./nodes/bootstrap-assets";

/** What starts the cluster on its first controller. */
export function firstAssets(
    cluster: Cluster,
    { name, address: given }: Pick<ControllerMachine, "name" | "address">,
    credentials: pulumi.Output<Credentials>,
): pulumi.Output<Bundle> {
    const agents = { agent: bundleAgent("bootstrap"), checkpointer: bundleAgent("checkpointer") };
    return pulumi
        .all([given, credentials])
        .apply(([address, secrets]) =>
            bundle(bootstrapAssets(cluster, { machine: { name, address }, secrets, ...agents })),
        );
}
