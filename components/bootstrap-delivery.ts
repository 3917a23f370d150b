import type { local } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import type { Delivery } from "../agents/bootstrap-sender/delivery";
import { createBootstrap } from "./bootstrap";
import type { Credentials } from "./cluster/credentials";
import type { Cluster } from "./cluster/model";
import type { ControllerMachine } from "./etcd-members";
import { firstAssets } from "./first-assets";
import { receiverName } from "./nodes/bootstrap-receiver";
import { ownProgram } from "./own-program";

/** Seconds from the moment when the machines are made to the pivot: images are fetched meanwhile. */
const bootstrapSeconds = 1800;

export interface BootstrapDeliveryArgs {
    readonly cluster: Cluster;
    /** URL of the API's load balancer, behind which the first controller waits. */
    readonly server: pulumi.Input<string>;
    readonly first: ControllerMachine;
    readonly credentials: pulumi.Output<Credentials>;
}

/** Brings the first controller of a cloud, through the API's load balancer, what starts the cluster. */
export function deliverBootstrap(
    name: string,
    { cluster, server, first, credentials }: BootstrapDeliveryArgs,
    opts: pulumi.CustomResourceOptions,
): local.Command {
    const assets = firstAssets(cluster, first, credentials);
    const input = pulumi.all([server, credentials, assets]).apply(([url, { kubernetesCa, admin }, bundle]) =>
        JSON.stringify({
            server: url,
            receiver: receiverName(cluster),
            ca: kubernetesCa.cert,
            cert: admin.cert,
            key: admin.key,
            assets: bundle,
            timeoutSeconds: bootstrapSeconds,
        } satisfies Delivery),
    );
    return createBootstrap(name, { command: ownProgram("agents/bootstrap-sender/main"), input }, opts);
}
