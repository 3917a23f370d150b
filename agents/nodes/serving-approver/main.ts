import { readFileSync } from "node:fs";
import { askInstances, type InstanceFilter } from "../../../clients/aws/ec2-instances";
import { instanceRole } from "../../../clients/aws/instance-metadata";
import { accountClient } from "../../../clients/kubernetes/api-client";
import { requestsPath, type SigningRequest } from "../../../clients/kubernetes/signing-requests";
import { WatchedList } from "../../../clients/kubernetes/watched-list";
import { repeat, runAgent } from "../../harness/main";
import { readPlan } from "../../harness/plan";
import { readJoined } from "../approver/joined";
import { approveServing, withJoined } from "./approve";
import { servingSigner } from "./decide";
import { ec2Machines, joinedInstances } from "./ec2-machines";
import { type Machines, planSchema } from "./plan";

const everyMilliseconds = 3000;

async function main(path = ""): Promise<void> {
    const plan = readPlan(path, planSchema);
    const api = accountClient(plan.apiServer, "tradewind-serving-approver");
    const logged = new Map<string, string>();
    const known = (): Machines => JSON.parse(readFileSync(plan.machines, "utf8"));
    const { instances } = plan;
    const ask = async (values: readonly string[], by?: InstanceFilter) =>
        askInstances(values, instances!, await instanceRole(), by);
    const machinesOf = async (nodes: readonly string[]): Promise<Machines> => {
        const { machines: joined } = await readJoined(api);
        if (!instances) return withJoined(known(), joined);
        const ofStack = await ec2Machines(nodes, known(), instances, ask);
        return withJoined({ ...(await joinedInstances(nodes, joined, known(), ask)), ...ofStack }, joined);
    };
    const requests = new WatchedList<SigningRequest>(api, requestsPath(servingSigner));
    await repeat(everyMilliseconds, () => approveServing(api, machinesOf, logged, () => requests.read()));
}

runAgent(main, { onSignal: "the next start resumes here" });
