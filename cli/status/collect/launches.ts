import { setTimeout as sleep } from "node:timers/promises";
import type { Launches } from "../../../components/pool-watch/judge";
import type { LaunchesOf } from "../../reach/cluster";
import { type Fact, known, unknown } from "../facts";

/** Status ends soon, whatever the cloud does. */
const limitMilliseconds = 2_500;

/** What a cloud says about pools that lack nodes. */
export async function readLaunches(
    pools: readonly string[],
    launchesOf: LaunchesOf,
    limit = limitMilliseconds,
): Promise<Record<string, Fact<Launches>>> {
    const late = sleep(limit, unknown<Launches>(`no response within ${limit / 1000} s`), { ref: false });
    const asked = pools.map(async (pool) => {
        const answer = launchesOf(pool, limit).then(known, (error: Error) => unknown<Launches>(error.message));
        return [pool, await Promise.race([answer, late])] as const;
    });
    return Object.fromEntries(await Promise.all(asked));
}
