import { clustersOf } from "../clusters";
import { isGroup } from "../full-diff";
import { refreshedGroups } from "../group-changes";
import { machineChanges } from "../machine-changes";
import { type Diagnostic, isFailed, type Operation, type Preview } from "../model";
import { isTold, turns } from "../order";
import { replacements } from "../replacements";
import { versionChanges } from "../versions";
import { rollingWorkloads } from "../workloads";
import { block, code, plainText, table } from "./markdown";
import { wrappedLine } from "./wrapped-line";

/** What a reviewer reads first: versions, the order of what rolls, machines with what they cost, warnings. */
export function summary(preview: Preview): string[] {
    const clusters = clustersOf(preview);
    const parts = clusters.flatMap((cluster) => {
        const workloads = rollingWorkloads(cluster);
        const isOne = clusters.length === 1;
        const said = preview.diagnostics.filter(({ resource }) => resource === cluster.name);
        const own = [
            versions(versionChanges(workloads, said)),
            order(turns(workloads, refreshedGroups(cluster), said)),
            others(
                workloads
                    .filter(({ turn }) => turn === undefined)
                    .map(({ name }) => name)
                    .sort(),
            ),
            machines(machineChanges(cluster)),
        ].filter((part) => part.length > 0);
        return isOne || own.length === 0 ? own : [[`**Cluster ${code(cluster.name)}**`], ...own];
    });
    return [
        counts(preview),
        told(preview, "error"),
        told(preview, "warning"),
        ...parts,
        elsewhere(preview),
        news(preview),
    ]
        .filter((part) => part.length > 0)
        .flatMap((part) => ["", ...part]);
}

const words: readonly (readonly [Operation, string])[] = [
    ["create", "to create"],
    ["update", "to update"],
    ["replace", "to make anew"],
    ["delete", "to delete"],
];

function counts(preview: Preview): string[] {
    const counted = words.flatMap(([operation, word]) => {
        const count = preview.steps.filter((step) => !isGroup(step.type) && step.operation === operation).length;
        return count > 0 ? [`${count} ${word}`] : [];
    });
    if (isFailed(preview)) return counted.length > 0 ? [`Before it ended: ${counted.join(", ")}.`] : [];
    return [counted.length > 0 ? `Resources: ${counted.join(", ")}.` : "Nothing changes."];
}

function versions(changes: ReturnType<typeof versionChanges>): string[] {
    if (changes.length === 0) return [];
    const rows = changes.map(({ what, from, to }) => [what.map(code).join(", "), from, to]);
    return ["**Versions**", "", ...table(["What", "From", "To"], rows)];
}

function order(list: ReturnType<typeof turns>): string[] {
    if (list.length === 0) return [];
    const lines = list.map(({ what, cost }, index) => `${index + 1}. **${plainText(what)}**: ${cost}`);
    return ["**What rolls, in this order**, each when the one before is whole", "", ...lines];
}

function others(names: readonly string[]): string[] {
    return names.length === 0
        ? []
        : [`Agents that are replaced, whose work waits meanwhile: ${names.map(code).join(", ")}.`];
}

function machines(changes: ReturnType<typeof machineChanges>): string[] {
    if (changes.length === 0) return [];
    const rows = changes.map(({ name, change, cost }) => [code(name), plainText(change), cost]);
    return ["**Machines**", "", ...table(["Machine", "What", "What it costs"], rows)];
}

function elsewhere(preview: Preview): string[] {
    const lines = replacements(preview)
        .map(({ name, type, text }) => `- ${code(name)} (${code(type)}) ${text}`)
        .sort();
    const issued = preview.steps.filter(({ type, operation }) => type.startsWith("tls:") && operation === "replace");
    const certificates = issued.filter(({ type }) => /Cert$/.test(type)).map(({ name }) => code(name));
    if (certificates.length > 0) lines.push(`- Certificates that are issued anew: ${certificates.sort().join(", ")}`);
    return lines.length === 0 ? [] : ["**Made anew or gone for good, beside machines**", "", ...lines];
}

function told({ diagnostics }: Preview, severity: "error" | "warning"): string[] {
    const own = diagnostics.filter((each) => each.severity === severity);
    const heading = severity === "error" ? "Error" : "Warning";
    return own.length === 0 ? [] : [`**${heading}${own.length === 1 ? "" : "s"}**`, "", ...messages(own)];
}

/** What the program said otherwise. */
function news({ diagnostics }: Preview): string[] {
    const told = diagnostics.filter((each) => each.severity === "info" && !isTold(each));
    return told.length === 0 ? [] : ["**The preview also says**", "", ...messages(told)];
}

function messages(diagnostics: readonly Diagnostic[]): string[] {
    return block(
        diagnostics.flatMap(({ resource, message }) => {
            const [first = "", ...rest] = message.split("\n");
            // Many begin with the cluster's name as it is.
            const before = resource && !first.startsWith(`${resource}: `) ? `${resource}: ` : "";
            return [`${before}${first}`, ...rest.map((line) => `    ${line}`)].flatMap(wrappedLine);
        }),
        "text",
    );
}
