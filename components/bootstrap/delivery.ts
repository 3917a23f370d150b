import { gunzipSync } from "node:zlib";
import type { local } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import type { Delivery, MachineConsole } from "../../agents/bootstrap-sender/delivery";
import { bundleAgent } from "../../bundling/agents";
import type { Credentials } from "../../cluster/keys/credentials";
import { receiverName } from "../../cluster/machines/bootstrap/receiver";
import { bootstrapReport } from "../../cluster/machines/bootstrap/report";
import type { Cluster } from "../../cluster/model";
import { type Bundle, bundle } from "../../ignition";
import type { ControllerMachine } from "../in-cluster/etcd";
import { mustStay } from "../pulumi/errors";
import { ownProgram } from "../pulumi/own-program";
import { createBootstrap, createRestart, firstAssets } from "./bootstrap";

/** Seconds from the creation of the machines to the pivot, including image pulls. */
const bootstrapSeconds = 1800;

export interface BootstrapDeliveryArgs {
    readonly cluster: Cluster;
    /** URL of the API's load balancer in front of the first controller, or without one, of that controller. */
    readonly server: pulumi.Input<string>;
    readonly first: ControllerMachine;
    /** Changes when the first controller's machine is replaced, which keeps its etcd disk. */
    readonly machineId: pulumi.Input<string>;
    readonly credentials: pulumi.Output<Credentials>;
    /** How to read its console. */
    readonly console: pulumi.Input<MachineConsole>;
}

/**
 * Delivers the assets that start a cluster to the first controller on a cloud, through the API's load balancer if there
 * is one. A replaced single controller gets the assets that restart it.
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
    chosenOnce(cluster, started.stdin);
    if (cluster.controllers.names.length > 1) return started;
    const again = firstAssets(cluster, first, credentials, "existing");
    return createRestart(
        name,
        { command, input: delivery(args, again), machineId },
        { ...opts, dependsOn: [...opts.dependsOn, started] },
    );
}

/** How nodes reach the API cannot change, because the input that started the cluster stays in the state. */
function chosenOnce(cluster: Cluster, stdin: pulumi.Output<string | undefined>): void {
    const brought = stdin.apply((packed) => {
        // Unknown at preview of a new cluster.
        if (!packed) return { receiver: receiverName(cluster), apiName: apiNameOf(cluster) };
        return JSON.parse(gunzipSync(Buffer.from(packed, "base64")).toString()) as Delivery;
    });
    const domain = brought.apply(({ receiver }) => domainOf(receiver, cluster));
    mustStay("domain", domainOf(receiverName(cluster), cluster), domain);
    const hasApiLoadBalancer = brought.apply(({ apiName }) => apiName === undefined);
    mustStay("apiLoadBalancer", cluster.apiLoadBalancer, hasApiLoadBalancer);
}

/**
 * Name to verify in the API's certificate when connecting to a controller's address, which the certificate does not
 * contain.
 */
function apiNameOf({ apiLoadBalancer: hasApiLoadBalancer, apiName }: Cluster): string | undefined {
    return hasApiLoadBalancer ? undefined : apiName;
}

function domainOf(receiver: string, { name }: Cluster): string {
    return receiver.slice(`bootstrap.${name}.`.length);
}

function delivery(
    { cluster, server, first, credentials, console }: BootstrapDeliveryArgs,
    assets: pulumi.Output<Bundle>,
): pulumi.Output<string> {
    return pulumi.all([server, credentials, assets, console]).apply(([url, secrets, starting, machineConsole]) => {
        const { kubernetesCa, admin } = secrets;
        const telling = bundle(bootstrapReport(cluster, secrets, bundleAgent("bootstrap-report")));
        return JSON.stringify({
            server: url,
            apiName: apiNameOf(cluster),
            node: first.name,
            receiver: receiverName(cluster),
            ca: kubernetesCa.cert,
            cert: admin.cert,
            key: admin.key,
            assets: {
                entries: [...starting.entries, ...telling.entries],
                units: [...starting.units, ...telling.units],
            },
            console: machineConsole,
            timeoutSeconds: bootstrapSeconds,
        } satisfies Delivery);
    });
}
