import { setTimeout as sleep } from "node:timers/promises";
import * as pulumi from "@pulumi/pulumi";
import { list } from "../../clients/kubernetes/api-client";
import { describeError } from "../../clients/kubernetes/api-error";
import { withKubeconfig } from "../../clients/kubernetes/checked-client";
import type { Node } from "../../clients/kubernetes/objects";
import type { Cluster } from "../../cluster/model";
import { isMocked, settled, takesHooks } from "../pulumi/engine";
import { plainError } from "../pulumi/errors";
import { inProgram } from "../pulumi/hooks";
import { log } from "../pulumi/log";
import { describePool, isComplete, isRefused, type Launches, type Observation, type WatchedPool } from "./judge";

/** Looks up the machines of a pool in its cloud. */
export type LaunchesOf = (pool: string) => Promise<Launches>;

interface PoolObservation {
    readonly kubeconfig: pulumi.Output<string>;
    /** Of pools whose nodes the cloud names. @default the stack creates all machines itself */
    readonly launchesOf?: LaunchesOf;
}

/** How long a failure of the cloud or of the API may last before it counts: a new role may be unknown to EC2 at first. */
const passing = 30_000;

const everyMilliseconds = 3_000;

/**
 * Reports, at the end of `up`, pools whose machines do not become nodes. A cloud's group is created whatever it can
 * launch, and a machine that never joins is no error of any resource.
 *
 * Only pools with new or changed machines are watched, which the engine's hooks report.
 */
export class PoolWatch {
    readonly #changed = new Map<string, WatchedPool>();

    constructor(private readonly cluster: Pick<Cluster, "name" | "joinSeconds" | "joinFailure">) {}

    /** Hooks of a pool's machines or group. @param when - which changes may create machines */
    of(pool: WatchedPool, when: readonly ("afterCreate" | "afterUpdate")[]): pulumi.ResourceHookBinding {
        if (!takesHooks() || pool.desired === 0) return {};
        const changed = () => void this.#changed.set(pool.name, pool);
        const hook = new pulumi.ResourceHook(`${this.cluster.name}-${pool.name}-joins`, inProgram(changed));
        return Object.fromEntries(when.map((each) => [each, [hook]]));
    }

    /** Watches the changed pools, once everything else is done. */
    begin(observation: PoolObservation, after: readonly pulumi.Resource[], component: pulumi.Resource): void {
        if (pulumi.runtime.isDryRun() || isMocked() || !takesHooks()) return;
        // The program does not end before.
        const done = pulumi.runtime.rpcKeepAlive();
        const watched = pulumi
            .all([observation.kubeconfig, ...after.map(({ urn }) => urn)])
            .apply(([text]) => this.#watch(text!, observation.launchesOf, component));
        void settled(watched).finally(done);
    }

    async #watch(kubeconfig: string, launchesOf: LaunchesOf | undefined, component: pulumi.Resource): Promise<void> {
        const { name, joinSeconds, joinFailure } = this.cluster;
        const deadline = performance.now() + joinSeconds * 1000;
        let troubledSince: number | undefined;
        for (let isFirst = true; this.#changed.size > 0; isFirst = false) {
            const observed = await observe([...this.#changed.values()], kubeconfig, launchesOf);
            const left = observed.filter((each) => !isComplete(each));
            if (left.length === 0) return;
            const now = performance.now();
            const isTroubled = left.every((each) => "unknown" in each.nodes || isRefused(each));
            troubledSince = isTroubled ? (troubledSince ?? now) : undefined;
            if (now >= deadline || (troubledSince !== undefined && now - troubledSince >= passing)) {
                const text = left.map((each) => `${name}: ${describePool(each)}`).join("\n");
                const isKnown = left.some(({ nodes }) => !("unknown" in nodes)) || left.some(isRefused);
                if (joinFailure === "error" && isKnown) throw plainError(text);
                return log.warn(text, component);
            }
            const pools = left.map(({ pool }) => pool.name).join(", ");
            if (isFirst) await log.info(`waiting up to ${joinSeconds} s for nodes of ${pools}`, component);
            await sleep(Math.min(everyMilliseconds, deadline - now));
        }
    }
}

/** Never fails: what cannot be read is unknown. Each call has its own time limit. */
async function observe(
    pools: readonly WatchedPool[],
    kubeconfig: string,
    launchesOf: LaunchesOf | undefined,
): Promise<Observation[]> {
    const unknown = (error: unknown) => ({ unknown: describeError(error) });
    const nodes = await withKubeconfig(kubeconfig, "tradewind-pools", (api) => list<Node>(api, "/api/v1/nodes")).catch(
        unknown,
    );
    return Promise.all(
        pools.map(async (pool) => {
            const observed = { pool, nodes };
            if (launchesOf === undefined || pool.nodes || isComplete(observed)) return observed;
            return { ...observed, launches: await launchesOf(pool.name).catch(unknown) };
        }),
    );
}
