import { readFileSync } from "node:fs";
import { join } from "node:path";
import { EtcdClient } from "../../../clients/etcd/client";
import { ApiClient } from "../../../clients/kubernetes/api-client";
import { memberCredentials } from "../../etcd/member/files";
import { runSteps, type StepEvent } from "../../harness/steps";
import { defaultTimeouts, type NodeRemovalPlan } from "./plan";
import { steps } from "./steps";

/** Drains the nodes that are no longer desired and removes them from the cluster, or resumes a run that was killed. */
export async function removeNodes(plan: NodeRemovalPlan, log: (event: StepEvent) => void): Promise<void> {
    const { apiServer, etcd, serviceAccount } = plan;
    const read = (...path: string[]) => readFileSync(join(...path), "utf8");
    const clients = {
        api: new ApiClient(
            apiServer,
            () => ({ ca: read(serviceAccount, "ca.crt"), token: read(serviceAccount, "token").trim() }),
            "tradewind-node-removal",
        ),
        etcd: new EtcdClient(etcd.endpoints, memberCredentials(etcd.pki)),
    };
    await runSteps(steps, { plan, ...clients }, defaultTimeouts, log);
}
