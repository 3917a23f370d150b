import type { AdmissionProblem } from "../../../components/admission/judge";
import {
    type ClusterFacts,
    critical,
    type Finding,
    ifKnown,
    type PodFacts,
    type WorkloadFacts,
    warning,
} from "../facts";
import { judgeApi } from "./api";
import { judgeCertificates } from "./certificates";
import { judgeControlPlane } from "./control-plane";
import { judgeEtcd, judgeSnapshot } from "./etcd";
import { judgeMachines, judgeNodes } from "./nodes";
import { judgeSkew } from "./skew";

/** What keeps the control plane from writing: webhooks, policies, quotas and the like. Much else comes of it. */
function judgeAdmission({ admission }: ClusterFacts): Finding[] {
    return (ifKnown(admission) ?? []).map(judgeProblem);
}

function judgeProblem({ effect, message, advice }: AdmissionProblem): Finding {
    const sentence = `${upper(message).replace(/\.$/, "")}.`;
    // Without a full stop: it may end with a command to copy.
    const what = upper(advice);
    switch (effect) {
        case "blocks":
            return critical("admission-blocked", sentence, what);
        case "limits":
            return warning("admission-limits", sentence, what);
        case "alters":
            return warning("admission-alters", sentence, what);
        case "risk":
            return warning("admission-risk", sentence, what);
    }
}

function upper(text: string): string {
    return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Seconds that a pod may take to become ready. */
const startSeconds = 60;

/** The pods of kube-system that are not ready, and those that should be there and are not. */
function judgePods({ pods, nodes, workloads }: ClusterFacts): Finding[] {
    // What runs on a node that is not Ready is told with the node.
    const lost = new Set((ifKnown(nodes) ?? []).filter(({ isReady }) => !isReady).map(({ name }) => name));
    return [
        ...(ifKnown(pods) ?? [])
            .filter(({ state, isEnding, node }) => state === "not-ready" && !isEnding && !lost.has(node ?? ""))
            .map(judgePod),
        ...(ifKnown(workloads) ?? []).filter(({ wanted, present }) => present < wanted).map(judgeWorkload),
    ];
}

function judgePod({ name, node, sinceSeconds = 0, problem = "nothing says why", hasFailed }: PodFacts): Finding {
    const where = node === undefined ? "" : ` on ${node}`;
    if (hasFailed) {
        return warning(
            "job-pod-failed",
            `The pod ${name}${where} of a Job has failed: ${problem.replace(/\.$/, "")}.`,
            `kubectl -n kube-system logs ${name}; it goes with its Job.`,
        );
    }
    const isStarting = sinceSeconds < startSeconds;
    const report = isStarting ? warning : critical;
    const what = isStarting ? `has not been ready for ${sinceSeconds} s` : "is not ready";
    return report(
        "pod-not-ready",
        `The pod ${name}${where} ${what}: ${problem.replace(/\.$/, "")}.`,
        `kubectl -n kube-system describe pod ${name}`,
    );
}

function judgeWorkload({ kind, name, wanted, present }: WorkloadFacts): Finding {
    return critical(
        "pods-missing",
        `The ${kind} ${name} has ${present} of ${wanted} pods.`,
        `kubectl -n kube-system describe ${kind.toLowerCase()} ${name}; if nothing makes pods, look at kube-controller-manager.`,
    );
}

export interface Verdict {
    /** Whether nothing critical was found. That the API does not answer is critical too: then nothing is sure. */
    readonly isHealthy: boolean;
    /** What is critical first. */
    readonly findings: readonly Finding[];
}

const JUDGES: readonly ((facts: ClusterFacts) => readonly Finding[])[] = [
    judgeApi,
    judgeAdmission,
    judgeMachines,
    judgeNodes,
    judgeControlPlane,
    judgeEtcd,
    judgePods,
    judgeSnapshot,
    judgeCertificates,
    judgeSkew,
];

/** What is wrong with a cluster, by what is known of it. */
export function judge(facts: ClusterFacts): Verdict {
    const all = JUDGES.flatMap((judgeOne) => judgeOne(facts));
    const of = (severity: Finding["severity"]) => all.filter((finding) => finding.severity === severity);
    return { isHealthy: of("critical").length === 0, findings: [...of("critical"), ...of("warning")] };
}
