import { ifKnown } from "../fact";
import type { CertificateFacts, ClusterFacts } from "../facts";
import type { Paint } from "./style";
import { type Cell, cell, table } from "./table";

/** More names than that are counted. */
const most = 2;

/** When each ends; a line for all of a name that end on the same day. */
export function certificateTable({ certificates, at }: ClusterFacts, paint: Paint): string[] {
    const groups = new Map<string, CertificateFacts[]>();
    for (const certificate of certificates) {
        const { name, notAfter } = certificate;
        const key = `${name} ${"value" in notAfter ? notAfter.value.slice(0, 10) : notAfter.unknown}`;
        groups.set(key, [...(groups.get(key) ?? []), certificate]);
    }
    const rows = [...groups.values()].map((group) => [group[0]!.name, where(group), ...ends(group[0]!, at)]);
    return rows.length === 0 ? [] : table(["CERTIFICATE", "WHERE", "ENDS", "IN"], rows, paint);
}

function where(group: readonly CertificateFacts[]): string {
    // The load balancer's address leads to the certificate of any of them.
    const nodes = [
        ...new Set(group.flatMap(({ name, node }) => node ?? (name === "kube-apiserver" ? "all clients" : []))),
    ];
    return nodes.length > most
        ? `${nodes.slice(0, most).join(", ")} and ${nodes.length - most} more`
        : nodes.join(", ");
}

function ends({ notAfter }: CertificateFacts, at: string): Cell[] {
    const end = ifKnown(notAfter);
    if (end === undefined) {
        return [cell("unknown", "faint"), cell("unknown" in notAfter ? notAfter.unknown : "", "faint")];
    }
    const left = (Date.parse(end) - Date.parse(at)) / 86_400_000;
    const tone = left < 7 ? "bad" : left < 30 ? "warning" : "plain";
    return [cell(end.slice(0, 10), tone), cell(left < 0 ? "ended" : `${Math.floor(left)} days`, tone)];
}
