import type { SecretsRewritePlan } from "../../../agents/secrets-rewrite/plan";
import { localApiServer } from "../../api-server";
import type { KeyLists } from "../../keys/lists";
import type { Manifest } from "../../manifest";
import type { Cluster } from "../../model";
import { accountAgentPod, agentJob, immutableConfigMap } from "../agent-workloads";
import { serviceAccount } from "../rbac";

const name = "secrets-rewrite";

/** Seconds that the stack waits: some milliseconds a Secret, and an agent that starts anew after each failure. */
const timeoutSeconds = 1800;

/** Name of the Job that has written all Secrets with the first of these keys once it is complete. */
export function secretsRewriteJobName({ encryption }: Pick<KeyLists, "encryption">): string {
    return `${name}-${encryption.join("-")}`;
}

/** What has all Secrets written again after another key became the first: they could not be read without the one before. */
export function secretsRewrite(cluster: Cluster, agent: string): Manifest[] {
    const plan: SecretsRewritePlan = { apiServer: localApiServer };
    const program = immutableConfigMap(name, {
        [`${name}.js`]: agent,
        "plan.json": `${JSON.stringify(plan, null, 2)}\n`,
    });
    const account = serviceAccount(name, [{ apiGroups: [""], resources: ["secrets"], verbs: ["list", "patch"] }]);
    const spec = accountAgentPod(cluster, name, { program: program.metadata.name, cpu: "20m" });
    const job = { name: secretsRewriteJobName(cluster.keys), agent: name, timeoutSeconds };
    return [...account, program, agentJob(job, { ...spec, restartPolicy: "OnFailure" })];
}
