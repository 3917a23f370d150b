import type { Cluster } from "../model";
import type { ComponentOptions } from "../options";
import { describeRefusal } from "../upgrades/checks";
import { minorOf } from "../upgrades/version";
import { invalid } from "../validate";
import { knownFlags, minorsWith, type Program } from "./known";
import { entriesOf, type FlagRule } from "./rule";
import { flagRule } from "./rules";

/** What is to be known of the flags that `components` adds. */
interface FlagFindings {
    /** What a pod would not start with. */
    readonly unknown: readonly string[];
    readonly deprecated: readonly string[];
}

export const programs: Readonly<Record<keyof Required<ComponentOptions>, Program>> = {
    kubeApiserver: "kube-apiserver",
    kubeControllerManager: "kube-controller-manager",
    kubeScheduler: "kube-scheduler",
    kubelet: "kubelet",
    etcd: "etcd",
};

/** Letters that a misspelt flag may be away from the one that was meant. */
const farthest = 4;

/** Which flags the wanted versions do not have, and which are deprecated there. Nothing of versions that this release does not know. */
export function flagFindings({ extraArgs, versions }: Pick<Cluster, "extraArgs" | "versions">): FlagFindings {
    const findings = Object.entries(programs).flatMap(([component, program]) => {
        const minor = minorOf(program === "etcd" ? versions.etcd : versions.kubernetes);
        const known = knownFlags(program, minor);
        const flags = known ? Object.keys(extraArgs[component as keyof typeof programs] ?? {}) : [];
        return flags.map((flag) => {
            const option = `components.${component}.${flag}`;
            const why = known!.get(flag);
            if (why === undefined) {
                const legal = `a flag of ${program} ${minor}`;
                return { unknown: `${invalid(option, legal, flag).message}${hint(program, flag, known!)}` };
            }
            return why ? { deprecated: `${option} is deprecated in ${program} ${minor}: ${why}` } : {};
        });
    });
    return {
        unknown: findings.flatMap(({ unknown = [] }) => unknown),
        deprecated: findings.flatMap(({ deprecated = [] }) => deprecated),
    };
}

/**
 * Apart from `resolveCluster`, by which commands read stacks that ran: one with such a flag is there to be mended.
 *
 * @throws Error with all flags that a cluster can't have, else with all that the wanted versions do not have
 */
export function requireLegalFlags(cluster: Cluster): void {
    const refused = refusedFlags(cluster);
    if (refused.length > 0) {
        const wayOut =
            "Change these values, or remove the flags from `components`: nothing overrides this (docs/flags.md)";
        throw new Error(
            [`${cluster.name} can't have these flags:`, ...refused.map((line) => `  ${line}`), wayOut].join("\n"),
        );
    }
    const { unknown } = flagFindings(cluster);
    if (unknown.length > 0 && !cluster.upgradeOverrides.includes("flags")) {
        const problems = unknown.map((message) => ({ check: "flags" as const, message }));
        throw new Error(describeRefusal(cluster.name, "have these flags", problems));
    }
}

/** Flags and values that a cluster can't have, whatever its versions: with the option to use, where there is one. */
export function refusedFlags(
    cluster: Pick<Cluster, "network" | "controllers" | "workerPools" | "extraArgs">,
): string[] {
    return Object.entries(programs).flatMap(([component, program]) =>
        Object.entries(cluster.extraArgs[component as keyof typeof programs] ?? {}).flatMap(([flag, value]) => {
            const option = `components.${component}.${flag}`;
            const rule = flagRule(program, flag);
            if (rule?.kind === "owned") return [`${option} cannot be set (got ${value || '""'}): ${reason(rule)}`];
            const hasSpaces = rule?.kind !== "merged" && value !== value.trim();
            const problem = rule && "problem" in rule ? rule.problem?.(value, cluster) : undefined;
            const legal = hasSpaces ? "without spaces at its ends" : problem;
            if (legal === undefined) return [];
            const why = rule && !hasSpaces ? `: ${rule.why}` : "";
            return [`${invalid(option, legal, hasSpaces ? JSON.stringify(value) : value).message}${why}`];
        }),
    );
}

/** Why a flag is refused, and what to use instead. */
function reason({ why, instead }: Extract<FlagRule, { kind: "owned" }>): string {
    return `${why}; ${instead ? `use ${instead.replaceAll("`", "")}` : "there is no option"}`;
}

function hint(program: Program, flag: string, known: ReadonlyMap<string, string>): string {
    const elsewhere = minorsWith(program, flag);
    if (elsewhere.length > 0) {
        return `, which ${elsewhere.join(" and ")} has`;
    }
    const [nearest] = [...known.keys()]
        .map((name) => ({ name, letters: distance(flag, name) }))
        .sort((one, other) => one.letters - other.letters);
    return nearest && nearest.letters <= farthest ? `; nearest: ${nearest.name}` : "";
}

/** Letters to be put in, left out or changed until one is the other. */
function distance(one: string, other: string): number {
    let row = [...Array(other.length + 1).keys()];
    for (const [i, letter] of [...one].entries()) {
        const next = [i + 1];
        for (const [j, wanted] of [...other].entries()) {
            next.push(Math.min(row[j + 1]! + 1, next[j]! + 1, row[j]! + (letter === wanted ? 0 : 1)));
        }
        row = next;
    }
    return row.at(-1)!;
}

/** Renders flags as `--name=value`. */
export function commandLine(flags: Record<string, string>): string[] {
    return Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`);
}

/** Extra flags win over the generated ones; the entries of lists are added to the generated ones. */
export function withExtra(
    program: Program,
    flags: Record<string, string>,
    extra: Record<string, string> = {},
): Record<string, string> {
    const added = Object.entries(extra).map(([flag, value]) => {
        const isList = flagRule(program, flag)?.kind === "merged";
        return [flag, isList ? mergedList(flags[flag] ?? "", value) : value];
    });
    return { ...flags, ...Object.fromEntries(added) };
}

/** Each entry once, by what is before `=`: the last one counts, in the place of the first. */
function mergedList(ours: string, added: string): string {
    const entries = new Map<string, string>();
    for (const entry of [...entriesOf(ours), ...entriesOf(added)]) {
        entries.set(entry.split("=")[0]!.trim(), entry);
    }
    return [...entries.values()].join(",");
}
