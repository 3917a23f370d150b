import { confirm } from "../../command-line/ask";
import { command } from "../../command-line/command";
import { flag, UsageError, type Values, value, wholeNumber } from "../../command-line/parse";
import { destroy } from "../../local/destroy";
import { CLUSTER_NAME } from "../../local/options";
import { main as start } from "../../local/start";
import { hasState, requireLocalCluster } from "../../local/state";
import { drill, renderReport } from "./drill";

const options = {
    name: value(
        "NAME",
        "a local cluster. Its controllers are destroyed and its API is down for minutes",
        CLUSTER_NAME,
        { otherwise: "a temporary cluster with one controller and one worker" },
    ),
    yes: flag("skip the confirmation", { short: "y" }),
    objects: value("N", "number of ConfigMaps and of Secrets to create", wholeNumber(1, 10_000), { default: 50 }),
};

export const program = command(
    {
        name: "tradewind drill",
        about: "Tests disaster recovery: fills a cluster with objects, takes a snapshot, destroys all controllers with their disks, creates new ones, restores the snapshot, and compares every object.",
        options,
        notes: `The snapshot is kept in the cluster's state until the drill succeeds. If the drill is interrupted after the controllers were destroyed, restore them with

  tradewind recover --from snapshot --snapshot FILE --name NAME

Exit codes:
  0    every object was restored unchanged
  1    objects differ (they are listed), or the drill failed
  2    invalid command line`,
    },
    run,
);

/** `tradewind drill`: 0 if every object was restored unchanged. */
async function run({ name, objects, yes }: Values<typeof options>): Promise<number> {
    if (name === undefined) {
        return onThrowAway(objects);
    }
    requireLocalCluster(name);
    if (!yes && !process.stdin.isTTY) {
        throw new UsageError("--yes is required without a terminal");
    }
    if (!yes && !(await confirm(`Destroy all controllers of ${name} and restore them from a snapshot?`))) {
        console.log("cancelled");
        return 1;
    }
    return drillOn(name, objects);
}

async function onThrowAway(objects: number): Promise<number> {
    if (hasState(throwAway)) {
        const command = `npm start -- --name ${throwAway} --destroy`;
        throw new UsageError(`an interrupted drill left the cluster ${throwAway} behind; remove it with ${command}`);
    }
    try {
        await start(["--name", throwAway, "--controllers", "1", "--workers", "1"]);
        return await drillOn(throwAway, objects);
    } finally {
        await destroy(throwAway, true);
    }
}

async function drillOn(name: string, objects: number): Promise<number> {
    const result = await drill(name, objects);
    console.log(`\n${renderReport(result)}`);
    return result.comparison.differences.length === 0 ? 0 : 1;
}

/** Name of the temporary cluster. */
const throwAway = "restore-drill";
