import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { memberCredentials } from "../../../agents/etcd/member/files";
import { readPlan } from "../../../agents/harness/plan";
import { planSchema } from "../../../agents/nodes/promoter/plan";
import { intervals, Promoter } from "../../../agents/nodes/promoter/promoter";
import { EtcdClient } from "../../../clients/etcd/client";
import { ApiClient } from "../../../clients/kubernetes/api-client";

/** Runs the promoter, and kills it after each thing that it did. */
async function main([path = "", credentials = ""]: readonly string[]): Promise<void> {
    const plan = readPlan(path, planSchema);
    const api = new ApiClient(plan.apiServer, () => JSON.parse(readFileSync(credentials, "utf8")));
    const etcd = new EtcdClient([plan.etcd], memberCredentials(plan.pki));
    const promoter = new Promoter({ api, etcd, plan }, console.log);
    for (;;) {
        const pace = await promoter.reconcile();
        if (pace === "busy") process.kill(process.pid, "SIGKILL");
        await sleep(Math.min(intervals[pace], 500));
    }
}

void main(process.argv.slice(2));
