import { local } from "@pulumi/command";
import type * as pulumi from "@pulumi/pulumi";

export interface BootstrapArgs {
    /** Shell command that prints the stages of the bootstrap as they happen and ends when the control plane pivoted. */
    readonly waitCommand: string;
}

/** Waits until the control plane runs in the cluster, showing the stages in `pulumi up`. */
export function createBootstrap(name: string, args: BootstrapArgs, opts: pulumi.CustomResourceOptions): local.Command {
    // Nothing to do at destroy, and nothing to repeat when only the command's wording changed.
    return new local.Command(`${name}-bootstrap`, { create: args.waitCommand, update: "true" }, opts);
}
