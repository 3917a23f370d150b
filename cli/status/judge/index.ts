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
import { judgeCandidates } from "./candidates";
import { judgeCertificates } from "./certificates";
import { judgeControlPlane } from "./control-plane";
import { judgeEtcd, judgeSnapshot } from "./etcd";
import { judgeFiles } from "./files";
import { judgeMachines, judgeNodes } from "./nodes";
import { judgeRepairs } from "./repairs";
import { judgeRequests } from "./requests";
import { judgeSkew } from "./skew";
import { judgeStackObjects } from "./stack-objects";
import { judgeEnding, judgeStranded } from "./stuck";
import { judgeUpgrade } from "./upgrade";

/** Obstacles to writes of the control plane, such as webhooks, policies and quotas: they cause many other findings. */
function judgeAdmission({ admission }: ClusterFacts): Finding[] {
    return (ifKnown(admission) ?? []).map(judgeProblem);
}

function judgeProblem({ effect, message, advice }: AdmissionProblem): Finding {
    const sentence = `${upper(message).replace(/\.$/, "")}.`;
    // Without a full stop, because it may end with a command to copy.
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

/** Pods of kube-system that are not ready or missing. */
function judgePods({ pods, nodes, workloads }: ClusterFacts): Finding[] {
    // Pods on a node that is not ready are covered by the node's finding.
    const lost = new Set((ifKnown(nodes) ?? []).filter(({ isReady }) => !isReady).map(({ name }) => name));
    return [
        ...(ifKnown(pods) ?? [])
            .filter(({ state, isEnding, node }) => state === "not-ready" && !isEnding && !lost.has(node ?? ""))
            .map(judgePod),
        ...(ifKnown(workloads) ?? []).filter(({ desired, present }) => present < desired).map(judgeWorkload),
    ];
}

function judgePod({ name, node, sinceSeconds = 0, problem = "no reason given", hasFailed }: PodFacts): Finding {
    const where = node === undefined ? "" : ` on ${node}`;
    if (hasFailed) {
        return warning(
            "job-pod-failed",
            `The Job pod ${name}${where} has failed: ${problem.replace(/\.$/, "")}.`,
            `kubectl -n kube-system logs ${name}; the pod is removed with its Job.`,
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

function judgeWorkload({ kind, name, desired, present }: WorkloadFacts): Finding {
    return critical(
        "pods-missing",
        `The ${kind} ${name} has ${present} of ${desired} pods.`,
        `kubectl -n kube-system describe ${kind.toLowerCase()} ${name}; if no pods are created, check kube-controller-manager.`,
    );
}

export interface Verdict {
    /** Whether there are no critical findings. An unreachable API is critical too. */
    readonly isHealthy: boolean;
    /** Critical ones first. */
    readonly findings: readonly Finding[];
}

const JUDGES: readonly ((facts: ClusterFacts) => readonly Finding[])[] = [
    judgeApi,
    judgeAdmission,
    judgeMachines,
    judgeFiles,
    judgeNodes,
    judgeRepairs,
    judgeRequests,
    judgeControlPlane,
    judgeUpgrade,
    judgeEtcd,
    judgeCandidates,
    judgePods,
    judgeStackObjects,
    judgeStranded,
    judgeEnding,
    judgeSnapshot,
    judgeCertificates,
    judgeSkew,
];

/** Finds the problems of a cluster from its facts. */
export function judge(facts: ClusterFacts): Verdict {
    const all = JUDGES.flatMap((judgeOne) => judgeOne(facts));
    const of = (severity: Finding["severity"]) => all.filter((finding) => finding.severity === severity);
    return { isHealthy: of("critical").length === 0, findings: [...of("critical"), ...of("warning")] };
}
