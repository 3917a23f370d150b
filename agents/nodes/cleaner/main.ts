import { askInstances } from "../../../clients/aws/ec2-instances";
import { instanceRole } from "../../../clients/aws/instance-metadata";
import { accountClient } from "../../../clients/kubernetes/api-client";
import { repeat, runAgent } from "../../harness/main";
import { readPlan } from "../../harness/plan";
import { NodeCleaner } from "./cleaner";
import { planSchema } from "./plan";

const everyMilliseconds = 10_000;

async function main(path = ""): Promise<void> {
    const plan = readPlan(path, planSchema);
    const api = accountClient(plan.apiServer, "tradewind-node-cleaner");
    const statesOf = async (ids: readonly string[]) => {
        const reported = await askInstances(ids, plan, await instanceRole());
        return new Map(reported.map(({ id, state }) => [id, state]));
    };
    const cleaner = new NodeCleaner({ api, plan, statesOf, log: console.log });
    await repeat(everyMilliseconds, () => cleaner.reconcile());
}

runAgent(main, { onSignal: "the next start checks again" });
