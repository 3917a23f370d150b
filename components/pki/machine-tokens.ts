import { local } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import type { JoiningCredentials } from "../../cluster/keys/credentials";
import { contentHash } from "../../cluster/manifest";
import { expirationCommand } from "../../cluster/manifests/nodes/bootstrap-tokens";
import { type Recreation, recreationKey } from "../rolling-resize/recreation";
import type { Pki } from "./pki";

/** A machine named by the stack. */
export interface NamedMachine {
    readonly pool: string;
    readonly node: string;
}

/** What a machine boots with, given its credentials. */
export type BootsWith = (joining: JoiningCredentials) => unknown;

/**
 * Bootstrap tokens of machines named by the stack: each has its own, valid for a day.
 *
 * The day starts when the machine is created, when this resource is replaced together with it, or when it is replaced
 * for another configuration, and never because of the date: the time is stored in the stack. Each day has another
 * token, so that a copied one never becomes valid again.
 *
 * Machines are not replaced with `replaceWith`: a resource that is replaced before it is deleted takes its dependents
 * along, whose provider does not exist yet at that point of an `up`.
 */
export class MachineTokens {
    readonly #name: string;
    readonly #pki: Pki;
    readonly #recreation?: Recreation;
    readonly #opts: pulumi.CustomResourceOptions;

    /** @param recreation - of machines that are replaced when their configuration changes. @default none */
    constructor(name: string, pki: Pki, parent: pulumi.Resource, recreation?: Recreation) {
        this.#name = name;
        this.#pki = pki;
        this.#recreation = recreation;
        this.#opts = { parent };
    }

    /** What a machine joins with, once per machine. @param bootsWith - only a hash of secrets is kept */
    joiningOf(machine: NamedMachine, bootsWith: BootsWith = () => ""): pulumi.Output<JoiningCredentials> {
        const recreation = this.#recreation?.nodes.includes(machine.node) ? this.#recreation : undefined;
        const { stdout } = new local.Command(
            `${this.#name}-token-lifetime-${shortName(this.#name, machine.node)}`,
            {
                create: expirationCommand,
                ...(recreation && { environment: { [recreationKey]: recreation.ready(this.#hash(bootsWith)) } }),
            },
            // Nothing changes once a machine has been replaced and is no longer listed.
            {
                ...this.#opts,
                hooks: recreation?.hooksOf(machine.node),
                ignoreChanges: recreation ? [] : ["environment"],
            },
        );
        return this.#pki.joiningOf(
            machine,
            // Undefined where --target leaves out a machine that does not exist yet; the engine then creates nothing of it.
            stdout.apply((text: string | undefined) => text?.trim() ?? ""),
        );
    }

    /** Hash of everything except the token, which changes with it. */
    #hash(bootsWith: BootsWith): pulumi.Output<string> {
        return pulumi.unsecret(this.#pki.withoutToken().apply(bootsWith).apply(contentHash));
    }
}

function shortName(cluster: string, node: string): string {
    return node.startsWith(`${cluster}-`) ? node.slice(cluster.length + 1) : node;
}
