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
     * Shell command that unpacks its input (base64 of gzip), gives the first controller what is in it to start a cluster,
     * prints the stages of the bootstrap as they happen, and ends when the control plane pivoted. Each cloud has its own.
     */
    readonly command: string;
    /** The assets, and what else the command needs to know. */
    readonly input: pulumi.Input<string>;
}

/**
 * Starts the cluster, and waits until the control plane runs in it, showing the stages in `pulumi up`.
 *
 * This is what may start a cluster, and it happens once: no machine's own config can, so that a first
 * controller made anew joins the cluster that is there and never starts a second one.
 */
export function createBootstrap(
    name: string,
    { command, input }: BootstrapArgs,
    opts: pulumi.CustomResourceOptions,
): local.Command {
    return new local.Command(
        `${name}-bootstrap`,
        // Nothing to do at destroy, and nothing to repeat when only the command's wording or the assets changed.
        { create: command, stdin: pulumi.secret(pulumi.output(input).apply(packed)), update: "true" },
        { ...opts, ignoreChanges: ["stdin"] },
    );
}

interface RestartArgs extends BootstrapArgs {
    /** Another one is another machine, which is given what starts the control plane; in what it was made of lies none of it. */
    readonly machineId: pulumi.Input<string>;
}

/**
 * Starts the control plane again when the only controller's machine was made anew: it has its etcd's data, and there is
 * nobody else whom it could join. Nothing to do in the beginning, when it serves already.
 *
 * It knows what is wanted today, so that a preview shows a change of it beside each change of the control plane.
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

/** The state keeps it twice, encrypted, and every preview reads it. Fast rather than small. */
function packed(text: string): string {
    return gzipSync(text, { level: 1 }).toString("base64");
}

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
