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
    const { name, address, address6 } = placeholders;
    const machine = { name, address, ...(cluster.network.podCidr6 && { address6 }) };
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
