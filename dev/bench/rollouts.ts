import { setTimeout as sleep } from "node:timers/promises";
import { TestCluster } from "../../test/cluster/cluster";
import { densePace, describeTallies, Prober } from "../../test/cluster/prober";
import { controllerTargets, rollOut } from "../../test/cluster/rollout";
import { clientResults } from "./control-plane/client-results";
import { withCluster } from "./no-change/stack";
import type { Group } from "./report";

const ROLLOUTS = 10;
const LEAST_REQUESTS = 20_000;
/** Duration without a rollout. */
const BASELINE_MS = 30_000;
/** Time for the last generation to drain. */
const DRAIN_MS = 15_000;
/** Maximum seconds of probing. */
const LIMIT_SECONDS = 1_500;

/** Ten rollouts of a single controller's apiserver: impact on its clients. */
export const run: Group = ({ result, say }, { signal }) =>
    // Never the user's own cluster: its flags are changed.
    withCluster(undefined, signal, async ({ name }) => {
        const cluster = new TestCluster(name);
        const targets = await controllerTargets(cluster, `${name}-controller-0`);
        const baseline = new Prober(targets, LIMIT_SECONDS, densePace);
        await sleep(BASELINE_MS, undefined, { signal });
        const calm = await baseline.stop();
        say(`    without a rollout: ${describeTallies(calm)}`);
        const prober = new Prober(targets, LIMIT_SECONDS, densePace);
        for (let rollout = 1; rollout <= ROLLOUTS; rollout++) {
            signal.throwIfAborted();
            say(`rollout ${rollout} of ${ROLLOUTS}`);
            await rollOut(cluster, rollout % 2);
        }
        await sleep(DRAIN_MS, undefined, { signal });
        const tallies = await prober.stop();
        say(`    ${describeTallies(tallies)}`);
        for (const each of clientResults("rollouts", tallies, calm, LEAST_REQUESTS)) {
            result(each);
        }
    });
