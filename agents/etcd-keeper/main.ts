import { InvalidPlan } from "../common/read-plan";
import { endOnSignals } from "../common/signals";
import { RestoreFailed } from "./restore/restore";
import { keep } from "./verbs/keep";
import { restore } from "./verbs/restore";
import { SnapshotFailed, snapshot } from "./verbs/snapshot";

/** `etcd-keeper <verb> <plan.json>` */
const verbs: Record<string, (plan: string) => Promise<void>> = { keep, snapshot, restore };

async function main([verb = "", plan = ""]: readonly string[]): Promise<void> {
    const run = verbs[verb];
    if (run === undefined) {
        throw new InvalidPlan(`the verb must be one of ${Object.keys(verbs).join(", ")}, got ${verb || '""'}`);
    }
    await run(plan);
}

endOnSignals("the next start goes on from here");

main(process.argv.slice(2)).then(
    () => process.exit(0),
    (error: Error) => {
        // The log has told of a failed step, or of a failed snapshot.
        if (!(error instanceof RestoreFailed || error instanceof SnapshotFailed)) {
            console.error(error instanceof InvalidPlan ? error.message : error);
        }
        process.exit(1);
    },
);
