import { printable, withText } from "../../../clients/printable";
import { allClouds } from "../../../cluster/clouds";
import { isGood, type RehearsalReport, renderRehearsal, verdictOf } from "../../rehearse/report";
import { changeCount, fullDiff, isGroup } from "../full-diff";
import { type MachineChange, machineChanges, refreshedGroups } from "../machine-changes";
import type { ConfigChange } from "../machine-configs";
import { clustersOf, type Diagnostic, isFailed, type Operation, type Preview, type Step } from "../model";
import { isShown, turns } from "../order";
import { versionChanges } from "../versions";
import { rollingWorkloads } from "../workloads";
import { type Fold, fitted, type Section } from "./fit";
import { block, code, plainText, table, wrappedLine } from "./markdown";

/** A stack and its preview, or why that failed. */
export interface Previewed {
    readonly stack: string;
    /** @default - Pulumi reported nothing */
    readonly preview?: Preview;
    /** Changes of node configs. @default - unknown */
    readonly configs?: readonly ConfigChange[];
    /** Rehearsals of the upgrades of its clusters. @default none */
    readonly rehearsals?: readonly RehearsalReport[];
    /** Why it failed, unless the diagnostics say so. @default - it did not */
    readonly failure?: string;
}

interface CommentOptions {
    /** Identifies the comment to later runs: the project's name. */
    readonly project: string;
    /** Maximum characters. */
    readonly limit: number;
    /** Where to read what was cut off, to end a sentence with. */
    readonly rest: string;
}

const nothing = "This change does not affect any stack.";

/** Whether a text is a preview comment, by its first line. */
export function isComment(text: string): boolean {
    return /^<!-- tradewind preview: [\w.-]* -->(\n|$)/.test(text);
}

/** Whether a comment lists no stacks. */
export function isOfNothing(text: string): boolean {
    return text.split("\n").includes(nothing);
}

/** One Markdown comment for all stacks. Its first line identifies it. */
export function comment(previewed: readonly Previewed[], { project, limit, rest }: CommentOptions): string {
    const first = [`<!-- tradewind preview: ${project.replaceAll(/[^\w.-]/g, "-")} -->`];
    const none = previewed.length === 0 ? [nothing] : [];
    // A comment may be printed, and quotes errors of clusters.
    return fitted([...first, ...none], withText(previewed, printable).map(section), limit, rest);
}

function section({ stack, preview, configs = [], rehearsals = [], failure }: Previewed): Section {
    const isFailed = failure !== undefined;
    const heading = `## ${isFailed ? "✗ " : ""}${code(stack)}${isFailed ? ": the preview failed" : ""}`;
    const reason = failure ? ["", ...block(failure.split("\n"), "text")] : [];
    return {
        stack,
        head: [heading, ...reason, ...(preview ? summary(preview) : []), ...rehearsals.flatMap(rehearsalHead)],
        folds: [...rehearsals.map(rehearsalFold), ...configFolds(configs), ...(preview ? [diffFold(preview)] : [])],
    };
}

function rehearsalHead(report: RehearsalReport): string[] {
    const { from, to } = report;
    return ["", `**Rehearsal of ${from} to ${to}** ${isGood(report) ? "✓" : "✗"} ${plainText(verdictOf(report))}`];
}

function rehearsalFold(report: RehearsalReport): Fold {
    const [, , , , ...details] = renderRehearsal(report).trimEnd().split("\n");
    return { title: `Rehearsal with ${report.snapshot.name}`, language: "text", lines: details };
}

function configFolds(configs: readonly ConfigChange[]): Fold[] {
    const lines = configs.flatMap(({ resources, changes }) => [
        `@@ ${resources.join(", ")} @@`,
        ...changes.flatMap(({ name, kind, lines: own }) => [
            ` ${name} ${kind}${own ? ":" : " (not shown: contains a secret, or only root can read it)"}`,
            ...(own ?? []).map((line) => `${line[0]}   ${line.slice(1)}`),
        ]),
    ]);
    return [{ title: "Node config changes: files and units", language: "diff", lines }];
}

function diffFold(preview: Preview): Fold {
    const count = changeCount(preview);
    return {
        title: `All changes to ${count} ${count === 1 ? "resource" : "resources"}`,
        language: "diff",
        lines: fullDiff(preview),
    };
}

/** What reviewers read first: versions, rollout order, machines with the impact, warnings. */
function summary(preview: Preview): string[] {
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
        messagesOf(preview, "error"),
        messagesOf(preview, "warning"),
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
    ["replace", "to replace"],
    ["delete", "to delete"],
];

function counts(preview: Preview): string[] {
    const counted = words.flatMap(([operation, word]) => {
        const count = preview.steps.filter((step) => !isGroup(step.type) && step.operation === operation).length;
        return count > 0 ? [`${count} ${word}`] : [];
    });
    if (isFailed(preview)) return counted.length > 0 ? [`Before it failed: ${counted.join(", ")}.`] : [];
    return [counted.length > 0 ? `Resources: ${counted.join(", ")}.` : "No changes."];
}

function versions(changes: ReturnType<typeof versionChanges>): string[] {
    if (changes.length === 0) return [];
    const rows = changes.map(({ what, from, to }) => [what.map(code).join(", "), from, to]);
    return ["**Versions**", "", ...table(["What", "From", "To"], rows)];
}

function order(list: ReturnType<typeof turns>): string[] {
    if (list.length === 0) return [];
    const lines = list.map(({ what, cost }, index) => `${index + 1}. **${plainText(what)}**: ${cost}`);
    return ["**Rollout order**, each step after the previous one is complete", "", ...lines];
}

function others(names: readonly string[]): string[] {
    return names.length === 0
        ? []
        : [`Agents that are replaced, and whose work pauses meanwhile: ${names.map(code).join(", ")}.`];
}

/** Up to this number, machines of a pool with the same change have a row each. */
const mostAlike = 5;

function machines(changes: readonly MachineChange[]): string[] {
    if (changes.length === 0) return [];
    const groups = new Map<string, MachineChange[]>();
    for (const each of changes) {
        const { pool = each.name, change, cost } = each;
        const key = JSON.stringify([pool, change, cost]);
        const group = groups.get(key) ?? [];
        groups.set(key, group);
        group.push(each);
    }
    const rows = [...groups.values()].flatMap((group) => {
        const [{ change, cost }] = group as [MachineChange];
        const isLong = group.length > mostAlike;
        const shown = isLong
            ? [`${code(group[0]!.name)} … ${code(group.at(-1)!.name)}`]
            : group.map(({ name }) => code(name));
        const what = isLong ? `${group.length} machines ${change}` : change;
        return shown.map((name) => [name, plainText(what), cost]);
    });
    return ["**Machines**", "", ...table(["Machine", "Change", "Impact"], rows)];
}

function elsewhere(preview: Preview): string[] {
    const lines = replacements(preview)
        .map(({ name, type, text }) => `- ${code(name)} (${code(type)}) ${text}`)
        .sort();
    const issued = preview.steps.filter(({ type, operation }) => type.startsWith("tls:") && operation === "replace");
    const certificates = issued.filter(({ type }) => /Cert$/.test(type)).map(({ name }) => code(name));
    if (certificates.length > 0) lines.push(`- Reissued certificates: ${certificates.sort().join(", ")}`);
    return lines.length === 0 ? [] : ["**Replaced or permanently deleted, apart from machines**", "", ...lines];
}

function messagesOf({ diagnostics }: Preview, severity: "error" | "warning"): string[] {
    const own = diagnostics.filter((each) => each.severity === severity);
    const heading = severity === "error" ? "Error" : "Warning";
    return own.length === 0 ? [] : [`**${heading}${own.length === 1 ? "" : "s"}**`, "", ...messages(own)];
}

/** Other messages of the program. */
function news({ diagnostics }: Preview): string[] {
    const infos = diagnostics.filter((each) => each.severity === "info" && !isShown(each));
    return infos.length === 0 ? [] : ["**Other messages**", "", ...messages(infos)];
}

function messages(diagnostics: readonly Diagnostic[]): string[] {
    return block(
        diagnostics.flatMap(({ resource, message }) => {
            const [first = "", ...rest] = message.split("\n");
            // Many messages already begin with the cluster's name.
            const before = resource && !first.startsWith(`${resource}: `) ? `${resource}: ` : "";
            return [`${before}${first}`, ...rest.map((line) => `    ${line}`)].flatMap(wrappedLine);
        }),
        "text",
    );
}

/** Another replaced resource, and the impact. */
export interface Replacement {
    readonly name: string;
    readonly type: string;
    readonly text: string;
}

/** Types whose replacement has no impact, because the name changes or another section covers it. */
const quiet = (type: string) =>
    /^(tls|kubernetes|command|pulumi|random):/.test(type) ||
    allClouds.some(({ machine, harmless = [] }) => [machine.type, ...harmless].includes(type));
const pods = /^kubernetes:(apps|core)\/v1:(DaemonSet|Deployment|StatefulSet|Service|Namespace)$/;
const isDisk = (type: string) => allClouds.some(({ volume }) => volume === type);
const isBalancing = (type: string) =>
    allClouds.some(({ loadBalancer, balancerParts = [] }) => [loadBalancer.type, ...balancerParts].includes(type));

/** Other replaced resources, and deletions that lose data. */
export function replacements({ steps }: Preview): Replacement[] {
    return steps.flatMap((step) => {
        const { type, name, operation } = step;
        const isLocalBalancer = type === "command:local:Command" && name.endsWith("-load-balancer");
        if (operation === "delete" && isDisk(type)) return [{ name, type, text: "deleted, **with its data**" }];
        const isListed = (!quiet(type) || pods.test(type) || isLocalBalancer) && operation === "replace";
        return isListed ? [{ name, type, text: meaning(step, isLocalBalancer) }] : [];
    });
}

function meaning({ type, isDeletedFirst, replaces }: Step, isBalancer: boolean): string {
    const by = replaces.length > 0 ? ` because of ${code(replaces.join(", "))}` : "";
    if (isDisk(type)) return `replaced${by}: **its data is lost**`;
    if (isBalancer || isBalancing(type)) return `replaced${by}: **its backends are unreachable meanwhile**`;
    return `replaced${by}; ${isDeletedFirst ? "the old one is deleted first" : "the old one is deleted once the new one exists"}`;
}
