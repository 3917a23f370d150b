import { ifKnown } from "../fact";
import type { ClusterFacts, PodFacts, WorkloadFacts } from "../facts";
import { critical, type Finding, warning } from "../finding";

/** Seconds that a pod may take to become ready. */
const startSeconds = 60;

/** The pods of kube-system that are not ready, and those that should be there and are not. */
export function judgePods({ pods, nodes, workloads }: ClusterFacts): Finding[] {
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
