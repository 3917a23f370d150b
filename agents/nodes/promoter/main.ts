import { setTimeout as sleep } from "node:timers/promises";
import { EtcdClient } from "../../../clients/etcd/client";
import { accountClient } from "../../../clients/kubernetes/api-client";
import { memberCredentials } from "../../etcd/member/files";
import { runAgent } from "../../harness/main";
import { readPlan } from "../../harness/plan";
import { nodePromoterName, planSchema } from "./plan";
import { intervals, Promoter } from "./promoter";

async function main(path = ""): Promise<void> {
    const plan = readPlan(path, planSchema);
    const api = accountClient(plan.apiServer, `tradewind-${nodePromoterName}`);
    const etcd = new EtcdClient([plan.etcd], memberCredentials(plan.pki));
    const promoter = new Promoter({ api, etcd, plan }, console.log);
    for (;;) await sleep(intervals[await promoter.reconcile()]);
}

runAgent(main, { onSignal: "the next start continues from the record" });
