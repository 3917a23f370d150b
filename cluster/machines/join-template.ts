import { type Config, merge, parse, replaceTexts } from "../../ignition";
import type { BootingMachine } from "../keys/credentials";
import { placeholderToken } from "../manifests/nodes/bootstrap-tokens";
import { type Cluster, isCandidatePool, type WorkerPool } from "../model";
import { clusterApiServer } from "../network/ports";
import { resettable } from "./reset";

/** Texts in a template in place of what only the machine that joins has. */
const placeholders = {
    name: "joining-machine-name",
    address: "joining-machine-address",
    address6: "joining-address-6",
};

/** A machine that the stack does not create, in the config of its pool. */
export function joiningMachine({ network }: Pick<Cluster, "network">): BootingMachine & { readonly name: string } {
    const { name, address, address6 } = placeholders;
    return { name, address, ...(network.podCidr6 && { address6 }) };
}

/**
 * Configs by pool for machines that the stack does not create: those of the pool's own machines, with placeholders.
 *
 * Pools of candidates have none: their nodes may become controllers.
 *
 * @param configOf - of a machine of the pool
 */
export function joinTemplates(
    cluster: Cluster,
    configOf: (pool: WorkerPool, machine: BootingMachine & { readonly name: string }) => Config,
): Record<string, Config> {
    const machine = joiningMachine(cluster);
    const pools = cluster.workerPools.filter((pool) => !isCandidatePool(cluster, pool));
    const templateOf = ({ snippets, ...pool }: WorkerPool) => {
        const own = configOf({ ...pool, snippets: [] }, machine);
        // What snippets write stays when a machine leaves: it may need it.
        return merge(resettable(own, machine.name, clusterApiServer(cluster)), ...snippets.map(parse));
    };
    return Object.fromEntries(pools.map((pool) => [pool.name, templateOf(pool)]));
}

/** What a template lacks. */
export interface JoiningValues {
    readonly name: string;
    readonly token: string;
    readonly address: string;
    readonly address6?: string;
}

/** The config of one machine. */
export function joinConfig(template: Config, { token, name, address, address6 }: JoiningValues): Config {
    return replaceTexts(template, {
        [placeholderToken]: token,
        [placeholders.name]: name,
        [placeholders.address]: address,
        ...(address6 && { [placeholders.address6]: address6 }),
    });
}

/** Whether machines that join the pool have an address of their own in its config: a cloud's find it in their network. */
export function hasSecondAddress(template: Config): boolean {
    return JSON.stringify(template).includes(placeholders.address6);
}
