import { gunzipSync } from "node:zlib";
import type { local } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import type { Delivery } from "../agents/bootstrap-sender/delivery";
import type { Bundle } from "../ignition";
import { createBootstrap, createRestart } from "./bootstrap";
import type { Credentials } from "./cluster/credentials";
import type { Cluster } from "./cluster/model";
import type { ControllerMachine } from "./etcd-members";
import { firstAssets } from "./first-assets";
import { mustStay } from "./must-stay";
import { receiverName } from "./nodes/bootstrap-receiver";
import { ownProgram } from "./own-program";

/** Seconds from the moment when the machines are made to the pivot: images are fetched meanwhile. */
const bootstrapSeconds = 1800;

export interface BootstrapDeliveryArgs {
    readonly cluster: Cluster;
    /** URL of the API's load balancer, behind which the first controller waits. */
    readonly server: pulumi.Input<string>;
    readonly first: ControllerMachine;
    /** Changes when the first controller's machine is made anew, which has the disk of its etcd then. */
    readonly machineId: pulumi.Input<string>;
    readonly credentials: pulumi.Output<Credentials>;
}

/**
 * Brings the first controller of a cloud, through the API's load balancer, what starts the cluster; and the only one of a
 * cluster, when it is made anew, what starts it again.
 */
export function deliverBootstrap(
    name: string,
    args: BootstrapDeliveryArgs,
    opts: pulumi.CustomResourceOptions & { readonly dependsOn: pulumi.Resource[] },
): local.Command {
    const { cluster, first, credentials, machineId } = args;
    const command = ownProgram("agents/bootstrap-sender/main");
    const started = createBootstrap(
        name,
        { command, input: delivery(args, firstAssets(cluster, first, credentials)) },
        opts,
    );
    mustStay(
        "domain",
        domainOf(receiverName(cluster), cluster),
        started.stdin.apply((stdin) => domainIn(stdin, cluster)),
    );
    if (cluster.controllers.names.length > 1) {
        return started;
    }
    const again = firstAssets(cluster, first, credentials, "existing");
    return createRestart(
        name,
        { command, input: delivery(args, again), machineId },
        { ...opts, dependsOn: [...opts.dependsOn, started] },
    );
}

/** The one that the cluster was started with, which nodes know its API by: what brought it that is in the state for good. */
function domainIn(stdin: string | undefined, cluster: Cluster): string {
    // A preview of a new cluster does not know it yet.
    const text = stdin ? gunzipSync(Buffer.from(stdin, "base64")).toString() : "{}";
    const { receiver = receiverName(cluster) }: Partial<Delivery> = JSON.parse(text);
    return domainOf(receiver, cluster);
}

function domainOf(receiver: string, { name }: Cluster): string {
    return receiver.slice(`bootstrap.${name}.`.length);
}

function delivery(
    { cluster, server, first, credentials }: BootstrapDeliveryArgs,
    assets: pulumi.Output<Bundle>,
): pulumi.Output<string> {
    return pulumi.all([server, credentials, assets]).apply(([url, { kubernetesCa, admin }, bundle]) =>
        JSON.stringify({
            server: url,
            node: first.name,
            receiver: receiverName(cluster),
            ca: kubernetesCa.cert,
            cert: admin.cert,
            key: admin.key,
            assets: bundle,
            timeoutSeconds: bootstrapSeconds,
        } satisfies Delivery),
    );
}
