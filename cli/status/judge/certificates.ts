import { type CertificateFacts, type ClusterFacts, critical, type Finding, ifKnown, warning } from "../facts";

/** Days before the end at which a certificate wants attention, and at which it is urgent. */
const days = { warning: 30, critical: 7 };

/** Those that end soon: one finding for all of a name that end on the same day. */
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
        const when = left < 0 ? `ended on ${day}` : `ends on ${day}, in ${Math.floor(left)} days`;
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
            return "Nobody checks it, the kubelet signed it itself. To renew it: remove /var/lib/kubelet/pki/kubelet.{crt,key} there and restart the kubelet.";
        case "kubelet client":
            return "The kubelet renews it by itself: see there why it does not, by journalctl -u kubelet.";
        default:
            return "Have the stack issue it anew before it ends: certificates.generation, or certificates.administrator (docs/certificates.md).";
    }
}
