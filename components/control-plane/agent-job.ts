import type { Manifest } from "../cluster/manifest";
import type { PodSpec } from "./pod";

export interface AgentJobOptions {
    readonly name: string;
    /** Name of the agent. */
    readonly agent: string;
    /** How long the stack waits for its end. */
    readonly timeoutSeconds: number;
    /** Of its pod. @default none */
    readonly annotations?: Readonly<Record<string, string>>;
}

/** An agent that works until it is done, which the stack waits for. */
export function agentJob({ name, agent, timeoutSeconds, annotations }: AgentJobOptions, spec: PodSpec): Manifest {
    return {
        apiVersion: "batch/v1",
        kind: "Job",
        metadata: {
            name,
            namespace: "kube-system",
            annotations: { "pulumi.com/timeoutSeconds": String(timeoutSeconds) },
        },
        spec: {
            // It goes on for as long as it takes: whoever mends what is in its way need not start it again.
            backoffLimit: 2 ** 31 - 1,
            template: { metadata: { labels: { "k8s-app": agent }, ...(annotations && { annotations }) }, spec },
        },
    };
}
