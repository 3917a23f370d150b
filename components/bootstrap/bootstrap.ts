import { gzipSync } from "node:zlib";
import { local } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import { bundleAgent } from "../../bundling/agents";
import type { Credentials } from "../../cluster/keys/credentials";
import { bootstrapAssets } from "../../cluster/machines/bootstrap/assets";
import type { EtcdStart } from "../../cluster/manifests/etcd/member";
import type { Cluster } from "../../cluster/model";
import { type Bundle, bundle } from "../../ignition";
import type { ControllerMachine } from "../in-cluster/etcd";

interface BootstrapArgs {
    /**
     * Shell command that unpacks its input (base64 of gzip), delivers it to the first controller to start a cluster,
     * prints the stages of the bootstrap, and exits when the control plane has pivoted. Each cloud has its own.
     */
    readonly command: string;
    /** The assets, and other input of the command. */
    readonly input: pulumi.Input<string>;
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
): local.Command {
    return new local.Command(
        `${name}-bootstrap`,
        // Nothing to do on destroy, and nothing to repeat when only the command's text or the assets change.
        { create: command, stdin: pulumi.secret(pulumi.output(input).apply(packed)), update: "true" },
        { ...opts, ignoreChanges: ["stdin"] },
    );
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
