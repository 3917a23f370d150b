import { type CertificateFacts, type ClusterFacts, critical, type Finding, ifKnown, warning } from "../facts";

/** Days before expiry at which a certificate needs attention, or is urgent. */
const days = { warning: 30, critical: 7 };

/** Certificates that expire soon: one finding for all with the same name and day. */
export function judgeCertificates({ certificates, at }: ClusterFacts): Finding[] {
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
    return [...groups.values()].map((group) => {
        const [{ name, day, left, isVerified }] = group as [(typeof group)[number]];
        const report = left < days.critical && isVerified ? critical : warning;
        const when = left < 0 ? `expired on ${day}` : `expires on ${day}, in ${Math.floor(left)} days`;
        return report("certificate-ends", `The certificate of ${name}${where(group)} ${when}.`, adviceFor(name));
    });
}

function where(group: readonly CertificateFacts[]): string {
    const nodes = [...new Set(group.flatMap(({ node }) => node ?? []))];
    return nodes.length === 0 ? "" : ` on ${nodes.join(", ")}`;
}

function adviceFor(name: string): string {
    switch (name) {
        case "kubelet":
            return "It is self-signed and not verified by any client. To renew it, remove /var/lib/kubelet/pki/kubelet.{crt,key} on that node and restart the kubelet.";
        case "kubelet client":
            return "The kubelet should renew it by itself; on that node, check journalctl -u kubelet for the reason.";
        default:
            return "Renew it with pulumi up before it expires: certificates.generation, or certificates.administrator (docs/certificates.md).";
    }
}
