import { accountClient } from "../../clients/kubernetes/api-client";
import { describeError } from "../../clients/kubernetes/api-error";
import { runAgent } from "../harness/main";
import { readPlan } from "../harness/plan";
import { planSchema } from "./plan";
import { rewriteSecrets } from "./rewrite";

async function main(path = ""): Promise<string> {
    const plan = readPlan(path, planSchema);
    const count = await rewriteSecrets(accountClient(plan.apiServer, "tradewind-secrets-rewrite"), plan);
    return `all ${count} Secrets are encrypted with the first key`;
}

const onSignal = "the next start begins again and skips what is done";
runAgent(main, { onSignal, explained: [Error], explain: describeError });
