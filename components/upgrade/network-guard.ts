import * as pulumi from "@pulumi/pulumi";
import type { ApiClient } from "../../clients/kubernetes/api-client";
import { ifFound } from "../../clients/kubernetes/api-error";
import type { DaemonSet } from "../../clients/kubernetes/objects";
import { domainOf } from "../../cluster/keys/credentials";
import { issuersOf } from "../../cluster/keys/issuers";
import type { Cluster, Network } from "../../cluster/model";
import { plainError } from "../pulumi/errors";
import { changedIssuers } from "./issuer-guard";

/** DaemonSets whose flags show which networks a cluster was created with. */
export const networkHolders = ["kube-apiserver", "kube-controller-manager"] as const;

/** Control plane flags with the blocks of a cluster, by option, IPv4 first. */
const flags = {
    "cluster-cidr": ["podCidr", "podCidr6"],
    "service-cluster-ip-range": ["serviceCidr", "serviceCidr6"],
} as const;

type Networks = Pick<Network, "podCidr" | "serviceCidr" | "podCidr6" | "serviceCidr6" | "clusterDomain">;

/** Why the cluster cannot have these networks, if so: nodes and Services keep their addresses and names. */
export async function networkProblem(api: ApiClient, cluster: Cluster): Promise<string | undefined> {
    const { network } = cluster;
    const path = "/apis/apps/v1/namespaces/kube-system/daemonsets";
    const sets = await Promise.all(networkHolders.map((name) => ifFound(api.call<DaemonSet>(`${path}/${name}`))));
    return (
        changedNetwork(sets.flatMap(commandOf), network) ?? changedIssuers(sets.flatMap(commandOf), issuersOf(cluster))
    );
}

/**
 * Compares the networks with the state, at preview too, for a cluster that is unreachable. Hook of the DaemonSets in
 * {@link networkHolders}.
 */
export function networkHook(cluster: Pick<Cluster, "name" | "network" | "publicIssuer">): pulumi.ResourceHook {
    const { name, network } = cluster;
    return new pulumi.ResourceHook(
        `${name}-networks`,
        ({ oldInputs }) => {
            const set = oldInputs as Partial<DaemonSet> | undefined;
            const problem =
                changedNetwork(commandOf(set), network) ?? changedIssuers(commandOf(set), issuersOf(cluster));
            if (problem !== undefined) throw plainError(`${name}: ${problem}`);
        },
        { onDryRun: true },
    );
}

function commandOf(set: Partial<DaemonSet> | undefined): readonly string[] {
    return set?.spec?.template.spec.containers.flatMap(({ command = [] }) => command) ?? [];
}

function mustStay(option: string, has: string, desired: string): string {
    return `network.${option} cannot be changed after creation (is ${has}, got ${desired})`;
}

/** @param command - of the DaemonSets of the control plane */
export function changedNetwork(command: readonly string[], network: Networks): string | undefined {
    for (const [flag, options] of Object.entries(flags)) {
        const current = flagIn(command, flag);
        for (const [index, option] of options.entries()) {
            const has = current?.split(",")[index] ?? "none";
            const desired = network[option]?.text ?? "none";
            if (current !== undefined && has !== desired) return mustStay(option, has, desired);
        }
    }
    // Certificates, tokens and the resolv.conf of every pod contain it.
    const domain = flagsIn(command, "service-account-issuer").flatMap((issuer) => domainOf(issuer) ?? [])[0];
    return domain === undefined || domain === network.clusterDomain
        ? undefined
        : mustStay("clusterDomain", domain, network.clusterDomain);
}

function flagIn(command: readonly string[], flag: string): string | undefined {
    return flagsIn(command, flag)[0];
}

function flagsIn(command: readonly string[], flag: string): string[] {
    const prefix = `--${flag}=`;
    return command.filter((each) => each.startsWith(prefix)).map((each) => each.slice(prefix.length));
}
