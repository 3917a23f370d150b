import { accountClient } from "../../../clients/kubernetes/api-client";
import { repeat, runAgent } from "../../harness/main";
import { readPlan } from "../../harness/plan";
import { RebootApprover } from "./approver";
import { planSchema } from "./plan";

const everyMilliseconds = 5000;

async function main(path = ""): Promise<void> {
    const plan = readPlan(path, planSchema);
    const approver = new RebootApprover(accountClient(plan.apiServer, "tradewind-reboot-approver"), plan, console.log);
    await repeat(everyMilliseconds, () => approver.reconcile());
}

runAgent(main, { onSignal: "the next start resumes from the Lease" });
