import { readFileSync } from "node:fs";
import { askInstances, type Ec2Place } from "../../../clients/aws/ec2-instances";
import { instanceRole } from "../../../clients/aws/instance-metadata";
import { ApiClient, readKubeconfig } from "../../../clients/kubernetes/api-client";
import { describeError } from "../../../clients/kubernetes/api-error";
import { requestsPath, type SigningRequest } from "../../../clients/kubernetes/signing-requests";
import { WatchedList } from "../../../clients/kubernetes/watched-list";
import { repeat, runAgent } from "../../harness/main";
import { readPlan } from "../../harness/plan";
import { approveAll } from "./approve";
import { type ControllerNode, grantRoles, withoutRolePaths } from "./grant-roles";
import { signerName } from "./identify";
import { planSchema } from "./plan";
import { restorePools } from "./restore-pools";

const everyMilliseconds = 1000;
/** Rounds after which rejected requests are retried and roles are checked. */
const thoroughRounds = 5;
/** Rounds after which all Nodes' pool labels are checked, which only administrators can change. */
const labelRounds = 300;

async function main(path = "", option = ""): Promise<void> {
    const kubeconfig = option.replace(/^--kubeconfig=/, "");
    const plan = readPlan(path, planSchema);
    const credentials = () => readKubeconfig(readFileSync(kubeconfig, "utf8")).credentials;
    const api = new ApiClient(plan.apiServer, credentials, "tradewind-node-approver");
    const ask = async (ids: readonly string[], place: Ec2Place) => askInstances(ids, place, await instanceRole());
    const requests = new WatchedList<SigningRequest>(api, requestsPath(signerName));
    const withoutRole = withoutRolePaths(plan).map((path) => new WatchedList<ControllerNode>(api, path));
    const approver = { api, plan, ask, logged: new Map<string, string>(), requests: () => requests.read() };
    const withheld = new Map<string, number>();
    let said: string | undefined;
    await repeat(everyMilliseconds, async (round) => {
        const isThorough = round % thoroughRounds === 0;
        try {
            await approveAll(approver, isThorough);
            if (isThorough) {
                const lists = await Promise.all(withoutRole.map((list) => list.read()));
                await grantRoles(api, plan, lists.flat(), withheld);
            }
            if (round % labelRounds === 0) await restorePools(api, plan);
            said = undefined;
        } catch (error) {
            // A persistent problem is logged once.
            const line = `retrying: ${describeError(error)}`;
            if (line !== said) console.log(line);
            said = line;
            api.reconnect();
        }
    });
}

runAgent(main, { onSignal: "the next start resumes here" });
