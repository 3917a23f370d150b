import {
    type CertificateFacts,
    type ClusterFacts,
    critical,
    type Finding,
    ifKnown,
    type NodeFacts,
    warning,
} from "../facts";
import { onMachine, recover } from "./remedies";

/** Agent that approves serving certificates: without it, kubelets sign their own. */
const servingApprover = "serving-approver";

/** Days before expiry at which a certificate needs attention, or is urgent. */
const days = { warning: 30, critical: 7 };

/** Certificates that expire soon: one finding for all with the same name and day. */
export function judgeCertificates(facts: ClusterFacts): Finding[] {
    const { certificates, at, workloads, nodes } = facts;
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
            const advice = adviceFor(group[0]!, facts, { hasEnded, isServingIssued });
            return report("certificate-ends", `The certificate of ${name}${where(group)} ${when}.`, advice);
        })
        .concat(isServingIssued ? withoutServing(facts, ifKnown(nodes) ?? []) : []);
}

/** Kubelets that have no certificate from the cluster, or only one that has ended: they close TLS handshakes. */
function withoutServing(facts: ClusterFacts, nodes: readonly NodeFacts[]): Finding[] {
    return facts.certificates.flatMap(({ name, node, notAfter }) => {
        const isReady = nodes.some((each) => each.name === node && each.isReady);
        const isRefused = "unknown" in notAfter && /alert internal error|alert number 80/.test(notAfter.unknown);
        return name === "kubelet" && isReady && isRefused
            ? [
                  warning(
                      "kubelet-without-certificate",
                      `The kubelet on ${node} has no valid serving certificate: kubectl logs and exec fail for its pods.`,
                      servingAdvice(facts, node),
                  ),
              ]
            : [];
    });
}

function servingAdvice(facts: ClusterFacts, node: string | undefined): string {
    const restart =
        node === undefined ? "systemctl restart kubelet" : onMachine(facts, node, "systemctl restart kubelet");
    return `The kubelet requests one by itself, which an agent approves: kubectl get csr; kubectl -n kube-system logs -l k8s-app=${servingApprover}. If there is no request, restart the kubelet: ${restart}`;
}

function where(group: readonly CertificateFacts[]): string {
    const nodes = [...new Set(group.flatMap(({ node }) => node ?? []))];
    return nodes.length === 0 ? "" : ` on ${nodes.join(", ")}`;
}

interface Situation {
    readonly hasEnded: boolean;
    /** Whether the cluster issues the serving certificates of kubelets. */
    readonly isServingIssued: boolean;
}

function adviceFor({ name, node }: CertificateFacts, facts: ClusterFacts, of: Situation): string {
    const on = (what: string) => (node === undefined ? what : onMachine(facts, node, what));
    switch (name) {
        case "kubelet":
            if (of.isServingIssued) return servingAdvice(facts, node);
            return `It is self-signed and not verified by any client. To renew it, remove /var/lib/kubelet/pki/kubelet.{crt,key} on that node and restart the kubelet: ${on("systemctl restart kubelet")}`;
        case "kubelet client":
            if (of.hasEnded) {
                // An `up` keeps a token's day, which began with its machine.
                return `The kubelet cannot renew an ended certificate: it joins again with its bootstrap token, which is valid for a day after its machine was created. To renew tokens that have expired or are missing: ${recover(facts, "api")}`;
            }
            return `The kubelet should renew it by itself; the reason why it does not: ${on("journalctl -u kubelet -g certificate -n 50")}`;
        default:
            return "Renew it with pulumi up before it expires: certificates.generation, or certificates.administrator (docs/certificates.md).";
    }
}
