import type { AdmissionProblem } from "../../../components/admission/judge";
import {
    type CertificateFacts,
    type ClusterFacts,
    critical,
    type Finding,
    ifKnown,
    type NodeFacts,
    type PodFacts,
    type WorkloadFacts,
    warning,
} from "../facts";
import { judgeApi } from "./api";
import { judgeControlPlane } from "./control-plane";
import { judgeEtcd, judgeSnapshot } from "./etcd";
import { judgeFiles } from "./files";
import { judgeMachines, judgeNodes } from "./nodes";
import { judgeRequests } from "./requests";
import { judgeSkew } from "./skew";
import { judgeStackObjects } from "./stack-objects";
import { judgeEnding, judgeStranded } from "./stuck";

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
        ...(ifKnown(workloads) ?? []).filter(({ wanted, present }) => present < wanted).map(judgeWorkload),
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

function judgeWorkload({ kind, name, wanted, present }: WorkloadFacts): Finding {
    return critical(
        "pods-missing",
        `The ${kind} ${name} has ${present} of ${wanted} pods.`,
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
    judgeRequests,
    judgeControlPlane,
    judgeEtcd,
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

/** Agent that approves serving certificates: without it, kubelets sign their own. */
const servingApprover = "serving-approver";

/** Days before expiry at which a certificate needs attention, or is urgent. */
const days = { warning: 30, critical: 7 };

/** Certificates that expire soon: one finding for all with the same name and day. */
export function judgeCertificates({ certificates, at, workloads, nodes }: ClusterFacts): Finding[] {
    const isServingIssued = (ifKnown(workloads) ?? []).some(({ name }) => name === servingApprover);
    const soon = certificates.flatMap((certificate) => {
        const end = ifKnown(certificate.notAfter);
        const left = end === undefined ? Number.POSITIVE_INFINITY : (Date.parse(end) - Date.parse(at)) / 86_400_000;
        const limit = certificate.isVerified ? days.warning : days.critical;
        return left < limit ? [{ ...certificate, left, day: end!.slice(0, 10) }] : [];
    });
    const groups = new Map<string, typeof soon>();
    for (const certificate of soon) {
        const key = `${certificate.name} ${certificate.day}`;
        groups.set(key, [...(groups.get(key) ?? []), certificate]);
    }
    return [...groups.values()]
        .map((group) => {
            const [{ name, day, left, isVerified }] = group as [(typeof group)[number]];
            const hasEnded = left < 0;
            const report = left < days.critical && (isVerified || (isServingIssued && hasEnded)) ? critical : warning;
            const when = hasEnded ? `expired on ${day}` : `expires on ${day}, in ${Math.floor(left)} days`;
            const advice = adviceFor(name, hasEnded, isServingIssued);
            return report("certificate-ends", `The certificate of ${name}${where(group)} ${when}.`, advice);
        })
        .concat(isServingIssued ? withoutServing(certificates, ifKnown(nodes) ?? []) : []);
}

/** Kubelets that have no certificate from the cluster, or only one that has ended: they close TLS handshakes. */
function withoutServing(certificates: readonly CertificateFacts[], nodes: readonly NodeFacts[]): Finding[] {
    return certificates.flatMap(({ name, node, notAfter }) => {
        const isReady = nodes.some((each) => each.name === node && each.isReady);
        const isRefused = "unknown" in notAfter && /alert internal error|alert number 80/.test(notAfter.unknown);
        return name === "kubelet" && isReady && isRefused
            ? [
                  warning(
                      "kubelet-without-certificate",
                      `The kubelet on ${node} has no valid serving certificate: kubectl logs and exec fail for its pods.`,
                      servingAdvice,
                  ),
              ]
            : [];
    });
}

const servingAdvice = `The kubelet requests one by itself, which an agent approves: kubectl get csr; kubectl -n kube-system logs -l k8s-app=${servingApprover}. If there is no request, restart the kubelet: systemctl restart kubelet.`;

function where(group: readonly CertificateFacts[]): string {
    const nodes = [...new Set(group.flatMap(({ node }) => node ?? []))];
    return nodes.length === 0 ? "" : ` on ${nodes.join(", ")}`;
}

function adviceFor(name: string, hasEnded: boolean, isServingIssued: boolean): string {
    switch (name) {
        case "kubelet":
            if (isServingIssued) return servingAdvice;
            return "It is self-signed and not verified by any client. To renew it, remove /var/lib/kubelet/pki/kubelet.{crt,key} on that node and restart the kubelet.";
        case "kubelet client":
            if (hasEnded) {
                return "The kubelet cannot renew an ended certificate: it joins again with its bootstrap token. If that has ended or is missing, pulumi up --refresh renews it; if that does not help, tradewind recover --from api does.";
            }
            return "The kubelet should renew it by itself; on that node, check journalctl -u kubelet for the reason.";
        default:
            return "Renew it with pulumi up before it expires: certificates.generation, or certificates.administrator (docs/certificates.md).";
    }
}
