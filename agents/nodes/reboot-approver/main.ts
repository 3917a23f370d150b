import { setTimeout as sleep } from "node:timers/promises";
import { accountClient } from "../../../clients/kubernetes/api-client";
import { InvalidPlan } from "../../harness/plan";
import { endOnSignals } from "../../harness/signals";
import { RebootApprover } from "./approver";
import { readPlan } from "./plan";

const everyMilliseconds = 5000;

endOnSignals("the next start resumes from the Lease");

async function main(path: string): Promise<void> {
    const plan = readPlan(path);
    const approver = new RebootApprover(accountClient(plan.apiServer, "tradewind-reboot-approver"), plan, console.log);
    for (;;) {
        await approver.look();
        await sleep(everyMilliseconds);
    }
}

main(process.argv[2] ?? "").catch((error: Error) => {
    console.error(error instanceof InvalidPlan ? error.message : error);
    process.exit(1);
});
