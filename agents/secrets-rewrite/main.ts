import { accountClient } from "../../clients/kubernetes/api-client";
import { describeError } from "../../clients/kubernetes/api-error";
import { endOnSignals } from "../harness/main";
import { readPlan } from "../harness/plan";
import { planSchema } from "./plan";
import { rewriteSecrets } from "./rewrite";

endOnSignals("the next start begins again and skips what is done");

async function main(path: string): Promise<void> {
    const plan = readPlan(path, planSchema);
    const count = await rewriteSecrets(accountClient(plan.apiServer, "tradewind-secrets-rewrite"), plan);
    console.log(`all ${count} Secrets are encrypted with the first key`);
}

main(process.argv[2] ?? "").then(
    () => process.exit(0),
    (error: Error) => {
        console.error(describeError(error));
        process.exit(1);
    },
);
