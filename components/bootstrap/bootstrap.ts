import { gunzipSync, gzipSync } from "node:zlib";
import { local } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import type { Delivery, MachineConsole } from "../../agents/bootstrap-sender/delivery";
import { bundleAgent } from "../../bundling/agents";
import type { StoreSecrets } from "../../cluster/etcd-snapshots";
import type { Credentials } from "../../cluster/keys/credentials";
import { bootstrapAssets } from "../../cluster/machines/bootstrap/assets";
import { receiverName } from "../../cluster/machines/bootstrap/receiver";
import { bootstrapReport } from "../../cluster/machines/bootstrap/report";
import type { EtcdStart } from "../../cluster/manifests/etcd/member";
import type { Cluster } from "../../cluster/model";
import type { ClusterOptions } from "../../cluster/options";
import { type Bundle, bundle, type Config } from "../../ignition";
import type { ControllerMachine } from "../in-cluster/etcd";
import { takesHooks } from "../pulumi/engine";
import { mustStay } from "../pulumi/errors";
import { ownProgram } from "../pulumi/own-program";

interface BootstrapArgs {
    /**
     * Shell command that unpacks its input (base64 of gzip), delivers it to the first controller to start a cluster,
     * prints the stages of the bootstrap, and exits when the control plane has pivoted. Each cloud has its own.
     */
    readonly command: string;
    /** The assets, and other input of the command. */
    readonly input: pulumi.Input<string>;
}

/** The start of a cluster. */
export interface Start {
    /** Exists once the control plane has pivoted. */
    readonly pivot: pulumi.CustomResource;
    /** Whether this `up` has started the cluster, once `pivot` exists. Not in a preview. */
    readonly isNew: () => boolean;
}

/**
 * Starts the cluster and waits until the control plane runs in it, with the stages shown in `pulumi up`.
 *
 * Only this can start a cluster, and only once. No machine's config can, so a replaced first controller joins the
 * existing cluster and never starts a second one.
 */
export function createBootstrap(
    name: string,
    { command, input }: BootstrapArgs,
    opts: pulumi.CustomResourceOptions,
): Start & { readonly pivot: local.Command } {
    let isNew = false;
    const note = () => {
        isNew = true;
    };
    const hooks = takesHooks() && { afterCreate: [new pulumi.ResourceHook(`${name}-bootstrap-created`, note)] };
    const pivot = new local.Command(
        `${name}-bootstrap`,
        // Nothing to do on destroy, and nothing to repeat when only the command's text or the assets change.
        { create: command, stdin: pulumi.secret(pulumi.output(input).apply(packed)), update: "true" },
        { ...opts, ...(hooks && { hooks }), ignoreChanges: ["stdin"] },
    );
    return { pivot, isNew: () => isNew };
}

interface RestartArgs extends BootstrapArgs {
    /**
     * Changes with the machine, which then gets the assets that restart the control plane. The machine's config
     * contains none of them.
     */
    readonly machineId: pulumi.Input<string>;
}

/**
 * Restarts the control plane when the only controller's machine has been replaced: it has the etcd data, and there is
 * no other controller to join. Does nothing on creation, when the control plane already runs.
 *
 * Its input contains the current configuration, so a preview shows it as changed whenever the control plane changes.
 */
export function createRestart(
    name: string,
    { command, input, machineId }: RestartArgs,
    opts: pulumi.CustomResourceOptions,
): local.Command {
    const stdin = pulumi.secret(pulumi.output(input).apply(packed));
    return new local.Command(
        `${name}-restart`,
        { create: command, stdin, update: "true", triggers: [machineId] },
        opts,
    );
}

/** The state contains it twice, encrypted, and every preview reads it: fast is better than small. */
function packed(text: string): string {
    return gzipSync(text, { level: 1 }).toString("base64");
}

/** Assets that start the cluster on its first controller; with `existing` only if its etcd data exist. */
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

/** Seconds from the creation of the machines to the pivot, including image pulls. */
const bootstrapSeconds = 1800;

interface BootstrapDeliveryArgs {
    readonly cluster: Cluster;
    /** URL of the API's load balancer in front of the first controller, or without one, of that controller. */
    readonly server: pulumi.Input<string>;
    readonly first: ControllerMachine;
    /** Changes when the first controller's machine is replaced, which keeps its etcd disk. */
    readonly machineId: pulumi.Input<string>;
    readonly credentials: pulumi.Output<Credentials>;
    /** How to read its console. */
    readonly console: pulumi.Input<MachineConsole>;
    /** The only clients that may connect, in addition to nodes. @default everyone */
    readonly allowedCidrs?: readonly string[];
}

/**
 * Delivers the assets that start a cluster to the first controller on a cloud, through the API's load balancer if there
 * is one. A replaced single controller gets the assets that restart it.
 */
export function deliverBootstrap(
    name: string,
    args: BootstrapDeliveryArgs,
    opts: pulumi.CustomResourceOptions & { readonly dependsOn: pulumi.Resource[] },
): Start {
    const { cluster, first, credentials, machineId } = args;
    const command = ownProgram("agents/bootstrap-sender/main");
    const started = createBootstrap(
        name,
        { command, input: delivery(args, firstAssets(cluster, first, credentials)) },
        opts,
    );
    chosenOnce(cluster, started.pivot.stdin);
    if (cluster.controllers.names.length > 1) return started;
    const again = firstAssets(cluster, first, credentials, "existing");
    const restarted = createRestart(
        name,
        { command, input: delivery(args, again), machineId },
        { ...opts, dependsOn: [...opts.dependsOn, started.pivot] },
    );
    return { ...started, pivot: restarted };
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
    const apiLoadBalancer = brought.apply(({ apiName }) => apiName === undefined);
    mustStay("apiLoadBalancer", cluster.apiLoadBalancer, apiLoadBalancer);
}

/**
 * Name to verify in the API's certificate when connecting to a controller's address, which the certificate does not
 * contain.
 */
function apiNameOf({ apiLoadBalancer, apiName }: Cluster): string | undefined {
    return apiLoadBalancer ? undefined : apiName;
}

function domainOf(receiver: string, { name }: Cluster): string {
    return receiver.slice(`bootstrap.${name}.`.length);
}

function delivery(
    { cluster, server, first, credentials, console, allowedCidrs }: BootstrapDeliveryArgs,
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
            ...(allowedCidrs && { allowedCidrs }),
            console: machineConsole,
            timeoutSeconds: bootstrapSeconds,
        } satisfies Delivery);
    });
}

/** What is needed to render a cluster's node files again: a secret of the cluster's component in the stack's state. */
export interface RecoveryRecord {
    /** Options of `resolveCluster`. */
    readonly options: ClusterOptions;
    /** Addresses, by node name. */
    readonly machines: Readonly<Record<string, string>>;
    readonly credentials: Credentials;
    /** Secrets of the store for snapshots. @default none */
    readonly snapshotSecrets?: StoreSecrets;
    /**
     * By pool: Ignition configs of machines that the stack does not create (cluster/machines/join-template.ts).
     * @default an older release wrote the record
     */
    readonly joining?: Readonly<Record<string, Config>>;
}

export interface RecoveryArgs {
    readonly options: ClusterOptions;
    /** Addresses, by node name. */
    readonly machines: Readonly<Record<string, pulumi.Input<string>>>;
    readonly credentials: pulumi.Output<Credentials>;
    /** Secrets of the store for snapshots. @default none */
    readonly snapshotSecrets?: pulumi.Output<StoreSecrets>;
    /** See {@link RecoveryRecord}. */
    readonly joining: pulumi.Output<Record<string, Config>>;
}

/** An output of the cluster's component, stored in the state only: the stack's outputs do not contain it. */
export function recoveryRecord(args: RecoveryArgs): pulumi.Output<RecoveryRecord> {
    const { options, machines, credentials, snapshotSecrets, joining } = args;
    const parts = pulumi.all([pulumi.output(machines), credentials, joining, snapshotSecrets]);
    return pulumi.secret(
        parts.apply(([addresses, secrets, configs, store]) => ({
            options,
            machines: addresses,
            credentials: secrets,
            joining: configs,
            ...(store && { snapshotSecrets: store }),
        })),
    );
}
