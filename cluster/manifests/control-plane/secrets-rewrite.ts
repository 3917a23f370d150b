import type { SecretsRewritePlan } from "../../../agents/secrets-rewrite/plan";
import type { KeyLists } from "../../keys/lists";
import type { Manifest } from "../../manifest";
import type { Cluster } from "../../model";
import { localApiServer } from "../../network/ports";
import { accountAgentPod, agentConfigMap, agentJob } from "../agent-workloads";
import { serviceAccount } from "../rbac";

const name = "secrets-rewrite";

/** Seconds that the stack waits: a few milliseconds per Secret, and an agent that restarts after each failure. */
const timeoutSeconds = 1800;

/** Name of the Job that rewrites all Secrets with the first of these keys. */
export function secretsRewriteJobName({ encryption }: Pick<KeyLists, "encryption">): string {
    return `${name}-${encryption.join("-")}`;
}

/** Rewrites all Secrets after another key has become the first: otherwise the previous key could not be removed. */
export function secretsRewrite(cluster: Cluster, agent: string): Manifest[] {
    const plan: SecretsRewritePlan = { apiServer: localApiServer };
    const program = agentConfigMap(name, agent, plan);
    const account = serviceAccount(name, [{ apiGroups: [""], resources: ["secrets"], verbs: ["list", "patch"] }]);
    const spec = accountAgentPod(cluster, name, { program: program.metadata.name, cpu: "20m" });
    const job = { name: secretsRewriteJobName(cluster.keys), agent: name, timeoutSeconds };
    return [...account, program, agentJob(job, { ...spec, restartPolicy: "OnFailure" })];
}
