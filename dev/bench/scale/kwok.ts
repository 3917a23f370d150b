import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { ensure } from "../../../artifacts";
import { programPath } from "../../../artifacts/programs";
import { Program } from "../../../test/engine/kubernetes-fixture/process";

/** Simulated nodes have it. */
export const simulated = { "kwok.x-k8s.io/node": "fake" };

/** Seconds that the pod of a node-agent takes to be Ready: the simulated time to drain a node and change its kubelet. */
export const drainSeconds = 10;

const now = "{{ Now | Quote }}";

function podCondition(type: string): string {
    return `- { type: ${type}, status: "True", lastTransitionTime: ${now} }`;
}

const podStatus = `phase: Running
startTime: ${now}
hostIP: 127.0.0.1
conditions:
${["Initialized", "Ready", "ContainersReady"].map(podCondition).join("\n")}
{{ range .spec.readinessGates }}
- { type: {{ .conditionType | Quote }}, status: "True", lastTransitionTime: ${now} }
{{ end }}
containerStatuses:
{{ range .spec.containers }}
- { name: {{ .name | Quote }}, image: {{ .image | Quote }}, ready: true, restartCount: 0, state: { running: { startedAt: ${now} } } }
{{ end }}
`;

interface Requirement {
    readonly key: string;
    readonly operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
    readonly values?: readonly string[];
}

const stage = (name: string, kind: "Node" | "Pod", matchExpressions: readonly Requirement[], more: object) => ({
    apiVersion: "kwok.x-k8s.io/v1alpha1",
    kind: "Stage",
    metadata: { name },
    spec: { resourceRef: { apiGroup: "v1", kind }, selector: { matchExpressions }, ...more },
});

const app = '.metadata.labels["k8s-app"]';
const isAlive: Requirement = { key: ".metadata.deletionTimestamp", operator: "DoesNotExist" };
/** Not yet Ready, or no longer, because a busy machine renewed the lease of its node too late. */
const isUnready: Requirement = {
    key: '.status.conditions.[] | select( .type == "Ready" ) | .status',
    operator: "NotIn",
    values: ["True"],
};
const next = { statusTemplate: podStatus };

const nodeStatus = `conditions:
- { type: Ready, status: "True", reason: KubeletReady, lastHeartbeatTime: ${now}, lastTransitionTime: ${now} }
`;

/** What happens to simulated nodes and their pods. */
const stages = [
    stage("node-ready", "Node", [isUnready], { next: { statusTemplate: nodeStatus } }),
    stage("pod-ready", "Pod", [isAlive, isUnready, { key: app, operator: "NotIn", values: ["node-agent"] }], { next }),
    stage("agent-ready", "Pod", [isAlive, isUnready, { key: app, operator: "In", values: ["node-agent"] }], {
        delay: { durationMilliseconds: drainSeconds * 1000 },
        next,
    }),
    stage("pod-gone", "Pod", [{ key: ".metadata.deletionTimestamp", operator: "Exists" }], {
        next: { finalizers: { empty: true }, delete: true },
    }),
];

/** Starts the simulation of every node with the annotation. */
export async function startKwok(folder: string, kubeconfig: string, say: (line: string) => void): Promise<Program> {
    await ensure({ only: ["kwok"], say });
    const config = join(folder, "stages.yaml");
    writeFileSync(config, stages.map((each) => stringify(each)).join("---\n"));
    const [[key, value]] = Object.entries(simulated) as [[string, string]];
    const flags = [
        `--kubeconfig=${kubeconfig}`,
        `--config=${config}`,
        `--manage-nodes-with-annotation-selector=${key}=${value}`,
        // As kubelets have them.
        "--node-lease-duration-seconds=40",
    ];
    const program = new Program(programPath("kwok"), flags, join(folder, "kwok.log"));
    program.start();
    return program;
}
