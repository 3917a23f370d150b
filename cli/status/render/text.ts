import { printable, printableLine, withText } from "../../../clients/printable";
import type { ClusterFacts, Finding } from "../facts";
import type { Verdict } from "../judge";
import { type Paint, shortTime } from "./table";
import { apiTable, certificateTable, controlPlaneTable, etcdTable, nodeTable } from "./tables";

/**
 * For humans: the verdict, the findings with their fixes, then tables. Nodes and pods write some of the text: it can
 * neither command the terminal nor begin a line.
 */
export function renderText(untrusted: ClusterFacts, { findings, ...rest }: Verdict, paint: Paint): string {
    const facts = withText(untrusted, printableLine);
    const indented = (text: string) => printable(text).replaceAll("\n", "\n    ");
    const verdict = { ...rest, findings: withText(findings, indented) };
    const sections = [
        headline(facts, verdict, paint),
        findingsLines(verdict.findings, paint),
        apiTable(facts, paint),
        nodeTable(facts, paint),
        controlPlaneTable(facts, paint),
        etcdTable(facts, paint),
        certificateTable(facts, paint),
    ];
    return sections
        .filter((lines) => lines.length > 0)
        .map((lines) => `${lines.join("\n")}\n`)
        .join("\n");
}

function headline({ cluster, at, lastSeen }: ClusterFacts, { isHealthy, findings }: Verdict, paint: Paint): string[] {
    const count = (severity: Finding["severity"]) => findings.filter((finding) => finding.severity === severity).length;
    const [problems, warnings] = [count("critical"), count("warning")];
    const counts = [
        ...(problems > 0 ? [`${problems} ${problems === 1 ? "problem" : "problems"}`] : []),
        ...(warnings > 0 ? [`${warnings} ${warnings === 1 ? "warning" : "warnings"}`] : []),
    ].join(", ");
    const state = isHealthy ? paint("healthy", "good") : paint("not healthy", "bad");
    return [
        `${paint(cluster, "strong")} is ${state}${counts && `: ${counts}`}   ${paint(shortTime(at), "faint")}`,
        ...(lastSeen ? [paint(`the API last answered this machine at ${shortTime(lastSeen)}`, "faint")] : []),
    ];
}

/** Of findings with the same code, only so many are shown. */
const mostAlike = 10;

function findingsLines(findings: readonly Finding[], paint: Paint): string[] {
    const counts = new Map<string, number>();
    return findings.flatMap((finding) => {
        const count = (counts.get(finding.code) ?? 0) + 1;
        counts.set(finding.code, count);
        if (count <= mostAlike) return findingLines(finding, paint);
        if (count > mostAlike + 1) return [];
        const others = findings.filter(({ code }) => code === finding.code).length - mostAlike;
        return [paint(`  and ${others} more of ${finding.code}: -o json has all`, "faint")];
    });
}

function findingLines({ severity, message, advice }: Finding, paint: Paint): string[] {
    const mark = severity === "critical" ? paint("✗", "bad") : paint("!", "warning");
    return [`${mark} ${message}`, ...(advice ? [`  ${paint(`→ ${advice}`, "faint")}`] : [])];
}

/** Incremented when a field changes its meaning or is removed, but not for new fields. */
const format = 1;

/** For programs: the verdict and all facts (docs/status.md). */
export function renderJson(facts: ClusterFacts, { isHealthy, findings }: Verdict, indent?: number): string {
    const { cluster, at, ...rest } = facts;
    return JSON.stringify({ format, cluster, at, isHealthy, findings, ...rest }, undefined, indent);
}
