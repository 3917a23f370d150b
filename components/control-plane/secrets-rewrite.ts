import type { SecretsRewritePlan } from "../../agents/secrets-rewrite/plan";
import { serviceAccount } from "../addons/service-account";
import type { KeyLists } from "../cluster/key-lists";
import type { Manifest } from "../cluster/manifest";
import type { Cluster } from "../cluster/model";
import { localApiServer } from "../nodes/api-server";
import { confined, lastWords, nobody, type PodSpec } from "./pod";
import { immutableConfigMap, onAnyController } from "./single-agent";

const name = "secrets-rewrite";
const programPath = `/opt/tradewind/${name}`;

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
    return [...account, program, job(cluster, program.metadata.name)];
}

function job(cluster: Cluster, program: string): Manifest {
    return {
        apiVersion: "batch/v1",
        kind: "Job",
        metadata: {
            name: secretsRewriteJobName(cluster.keys),
            namespace: "kube-system",
            annotations: { "pulumi.com/timeoutSeconds": String(timeoutSeconds) },
        },
        spec: {
            // It goes on for as long as it takes: whoever mends what is in its way need not start it again.
            backoffLimit: 2 ** 31 - 1,
            template: { metadata: { labels: { "k8s-app": name } }, spec: podSpec(cluster, program) },
        },
    };
}

function podSpec(cluster: Cluster, program: string): PodSpec {
    return {
        ...onAnyController(cluster, name),
        restartPolicy: "OnFailure",
        securityContext: {
            runAsNonRoot: true,
            runAsUser: nobody,
            runAsGroup: nobody,
            seccompProfile: { type: "RuntimeDefault" },
        },
        containers: [
            {
                name,
                image: cluster.images.node,
                ...lastWords,
                command: ["node", `${programPath}/${name}.js`, `${programPath}/plan.json`],
                resources: { requests: { cpu: "20m", memory: "64Mi" } },
                securityContext: confined,
                volumeMounts: [{ name: "program", mountPath: programPath, readOnly: true }],
            },
        ],
        volumes: [{ name: "program", configMap: { name: program } }],
    };
}
