import { local } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import type { JoiningCredentials } from "../../cluster/keys/credentials";
import { contentHash } from "../../cluster/manifest";
import { expirationCommand } from "../../cluster/manifests/nodes/bootstrap-tokens";
import type { Pki } from "./pki";

/** A machine that the stack names. */
export interface NamedMachine {
    readonly pool: string;
    readonly node: string;
}

/** What a machine boots with, by the credentials that are in it. */
export type BootsWith = (joining: JoiningCredentials) => unknown;

/**
 * The bootstrap tokens of machines that the stack names: each has one of its own, which is good for a day.
 *
 * The day begins when the machine is made, when this resource of it is replaced together with it, or when it is made anew with
 * another configuration; and never because of the date: the time is remembered in the stack. Each day has another token, so that
 * one that was copied is never good again.
 *
 * Not by `replaceWith` the machines: what is replaced before it is deleted takes its dependents along, and
 * their provider is not there yet at that point of an `up`.
 */
export class MachineTokens {
    readonly #name: string;
    readonly #pki: Pki;
    readonly #madeAnew: readonly string[];
    readonly #opts: pulumi.CustomResourceOptions;

    /** @param madeAnew - nodes whose machines are made anew for another configuration */
    constructor(name: string, pki: Pki, parent: pulumi.Resource, madeAnew: readonly string[] = []) {
        this.#name = name;
        this.#pki = pki;
        this.#madeAnew = madeAnew;
        this.#opts = { parent };
    }

    /** What a machine joins with, once for each. @param bootsWith - of secrets a hash alone is kept */
    joiningOf(machine: NamedMachine, bootsWith: BootsWith = () => ""): pulumi.Output<JoiningCredentials> {
        const isMadeAnew = this.#madeAnew.includes(machine.node);
        const { stdout } = new local.Command(
            `${this.#name}-token-lifetime-${shortName(this.#name, machine.node)}`,
            {
                create: expirationCommand,
                ...(isMadeAnew && { environment: { MADE_ANEW: this.#hash(bootsWith) } }),
            },
            // Nothing changes when a machine has been made anew, and is no longer named.
            { ...this.#opts, ignoreChanges: isMadeAnew ? [] : ["environment"] },
        );
        return this.#pki.joiningOf(
            machine,
            stdout.apply((text) => text.trim()),
        );
    }

    /** Of all but the token, which changes with it. */
    #hash(bootsWith: BootsWith): pulumi.Output<string> {
        return pulumi.unsecret(this.#pki.withoutToken().apply(bootsWith).apply(contentHash));
    }
}

function shortName(cluster: string, node: string): string {
    return node.startsWith(`${cluster}-`) ? node.slice(cluster.length + 1) : node;
}
