import { readFileSync } from "node:fs";
import { askInstances } from "../../../clients/aws/ec2-instances";
import { instanceRole } from "../../../clients/aws/instance-metadata";
import { accountClient } from "../../../clients/kubernetes/api-client";
import { requestsPath, type SigningRequest } from "../../../clients/kubernetes/signing-requests";
import { WatchedList } from "../../../clients/kubernetes/watched-list";
import { repeat, runAgent } from "../../harness/main";
import { readPlan } from "../../harness/plan";
import { readJoined } from "../approver/joined";
import { approveServing, withJoined } from "./approve";
import { servingSigner } from "./decide";
import { ec2Machines } from "./ec2-machines";
import { type Machines, planSchema } from "./plan";

const everyMilliseconds = 3000;

async function main(path = ""): Promise<void> {
    const plan = readPlan(path, planSchema);
    const api = accountClient(plan.apiServer, "tradewind-serving-approver");
    const logged = new Map<string, string>();
    const known = (): Machines => JSON.parse(readFileSync(plan.machines, "utf8"));
    const { instances } = plan;
    const ask = async (ids: readonly string[]) => askInstances(ids, instances!, await instanceRole());
    const ofStack = instances ? (nodes: readonly string[]) => ec2Machines(nodes, known(), instances, ask) : known;
    const machinesOf = async (nodes: readonly string[]) =>
        withJoined(await ofStack(nodes), (await readJoined(api)).machines);
    const requests = new WatchedList<SigningRequest>(api, requestsPath(servingSigner));
    await repeat(everyMilliseconds, () => approveServing(api, machinesOf, logged, () => requests.read()));
}

runAgent(main, { onSignal: "the next start resumes here" });
