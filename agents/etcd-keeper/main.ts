import { InvalidPlan } from "../common/read-plan";
import { endOnSignals } from "../common/signals";
import { keep } from "./verbs/keep";
import { snapshot } from "./verbs/snapshot";

/** `etcd-keeper <verb> <plan.json>` */
const verbs: Record<string, (plan: string) => Promise<void>> = { keep, snapshot };

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
        console.error(error instanceof InvalidPlan ? error.message : error);
        process.exit(1);
    },
);
