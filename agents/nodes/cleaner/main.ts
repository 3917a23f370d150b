import { setTimeout as sleep } from "node:timers/promises";
import { askInstances } from "../../../clients/aws/ec2-instances";
import { instanceRole } from "../../../clients/aws/instance-metadata";
import { accountClient } from "../../../clients/kubernetes/api-client";
import { InvalidPlan } from "../../harness/plan";
import { endOnSignals } from "../../harness/signals";
import { NodeCleaner } from "./cleaner";
import { readPlan } from "./plan";

const everyMilliseconds = 10_000;

endOnSignals("the next start checks again");

async function main(path: string): Promise<void> {
    const plan = readPlan(path);
    const api = accountClient(plan.apiServer, "tradewind-node-cleaner");
    const statesOf = async (ids: readonly string[]) => {
        const told = await askInstances(ids, plan, await instanceRole());
        return new Map(told.map(({ id, state }) => [id, state]));
    };
    const cleaner = new NodeCleaner({ api, plan, statesOf, log: console.log });
    for (;;) {
        await cleaner.look();
        await sleep(everyMilliseconds);
    }
}

main(process.argv[2] ?? "").catch((error: Error) => {
    console.error(error instanceof InvalidPlan ? error.message : error);
    process.exit(1);
});
