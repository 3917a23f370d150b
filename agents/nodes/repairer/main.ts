import { accountClient } from "../../../clients/kubernetes/api-client";
import { repeat, runAgent } from "../../harness/main";
import { readPlan } from "../../harness/plan";
import { Ec2Machines } from "./aws";
import { Droplets } from "./digitalocean";
import { nodeRepairerName, planSchema, tokenVariable } from "./plan";
import { NodeRepairer } from "./repairer";

const everyMilliseconds = 5_000;

async function main(path = ""): Promise<void> {
    const plan = readPlan(path, planSchema);
    const api = accountClient(plan.apiServer, `tradewind-${nodeRepairerName}`);
    const { [tokenVariable]: token = "" } = process.env;
    const cloud = plan.cloud && ("ec2" in plan.cloud ? new Ec2Machines(plan.cloud) : new Droplets(plan.cloud, token));
    const repairer = new NodeRepairer({ api, plan, ...(cloud && { cloud }), log: console.log });
    await repeat(everyMilliseconds, async () => {
        await repairer.reconcile();
    });
}

runAgent(main, { onSignal: "the next start continues from the record" });
