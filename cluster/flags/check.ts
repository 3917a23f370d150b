import type { Cluster } from "../model";
import type { ComponentOptions } from "../options";
import { describeRefusal } from "../upgrades/checks";
import { minorOf, versionOfImage } from "../upgrades/version";
import { invalid } from "../validate";
import { knownFlags, minorsWith, type Program } from "./known";
import { entriesOf, type FlaggedCluster, type FlagRule } from "./rule";
import { flagRule } from "./rules";
import { unknownEntries } from "./values";

/** Findings about the flags added with `components`. */
interface FlagFindings {
    /** Flags that would keep a pod from starting. */
    readonly unknown: readonly string[];
    readonly deprecated: readonly string[];
}

export const programs: Readonly<Record<keyof Required<ComponentOptions>, Program>> = {
    kubeApiserver: "kube-apiserver",
    kubeControllerManager: "kube-controller-manager",
    kubeScheduler: "kube-scheduler",
    kubelet: "kubelet",
    etcd: "etcd",
    kubeProxy: "kube-proxy",
    coredns: "coredns",
    flannel: "flannel",
    kubeRouter: "kube-router",
};

/** Maximum edit distance at which a known flag is suggested for a misspelled one. */
const farthest = 4;

type Versioned = Pick<Cluster, "versions" | "images">;

/** Version of a program; undefined if its image has a tag that is no version. */
function versionOf(program: Program, { versions, images }: Versioned): string | undefined {
    switch (program) {
        case "etcd":
            return versions.etcd;
        case "coredns":
            return versionOfImage(images.coredns);
        case "flannel":
            return versionOfImage(images.flannel);
        case "kube-router":
            return versionOfImage(images.kubeRouter);
        default:
            return versions.kubernetes;
    }
}

/**
 * Flags that the desired versions lack, and those that are deprecated there. Versions unknown to this release are not
 * checked.
 */
export function flagFindings(cluster: Pick<Cluster, "extraArgs"> & Versioned): FlagFindings {
    const { extraArgs } = cluster;
    const findings = Object.entries(programs).flatMap(([component, program]) => {
        const version = versionOf(program, cluster);
        if (version === undefined) return [];
        const minor = minorOf(version);
        const known = knownFlags(program, minor);
        const flags = known ? Object.keys(extraArgs[component as keyof typeof programs] ?? {}) : [];
        return flags.map((flag) => {
            const option = `components.${component}.${flag}`;
            const value = extraArgs[component as keyof typeof programs]?.[flag] ?? "";
            const absent = unknownEntries(program, minor, flag, value);
            if (absent.length > 0) {
                const names = absent.map(({ name }) => name).join(", ");
                const legal = `a list of what ${program} ${minor} has, without ${names}`;
                return { unknown: `${invalid(option, legal, value).message}${absent.map(elsewhere).join("")}` };
            }
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
 * Not part of `resolveCluster`, which commands also use to read existing stacks: one with such a flag must stay
 * readable so that it can be repaired.
 *
 * @throws Error with all flags that are refused, or else all flags that the desired versions lack
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

/** Flags and values that are refused whatever the version, each with the option to use instead, if there is one. */
export function refusedFlags(cluster: FlaggedCluster): string[] {
    return Object.entries(programs).flatMap(([component, program]) => {
        const flags = Object.entries(cluster.extraArgs[component as keyof typeof programs] ?? {});
        const needed = flags.length > 0 ? neededFor(program, cluster) : undefined;
        if (needed) return [`components.${component} requires ${needed}`];
        return flags.flatMap(([flag, value]) => {
            const option = `components.${component}.${flag}`;
            const rule = flagRule(program, flag);
            if (rule?.kind === "owned") return [`${option} cannot be set (got ${value || '""'}): ${reason(rule)}`];
            const hasSpaces = rule?.kind !== "merged" && value !== value.trim();
            const problem = rule && "problem" in rule ? rule.problem?.(value, cluster) : undefined;
            const legal = hasSpaces ? "text without leading or trailing spaces" : problem;
            if (legal === undefined) return [];
            const why = rule && !hasSpaces ? `: ${rule.why}` : "";
            return [`${invalid(option, legal, hasSpaces ? JSON.stringify(value) : value).message}${why}`];
        });
    });
}

/** The options without which a cluster does not have an add-on; undefined if it has it. */
function neededFor(
    program: Program,
    { network: { cni, networkPolicies, kubeProxyMode } }: FlaggedCluster,
): string | undefined {
    if (program === "kube-proxy" && kubeProxyMode === "none") return "kubeProxyMode: nftables or iptables (got none)";
    if (program === "flannel" && cni !== "flannel") return `cni: flannel (got ${cni})`;
    const hasRouter = cni === "kube-router" || networkPolicies === "enforced";
    return program === "kube-router" && !hasRouter ? "cni: kube-router or networkPolicies: enforced" : undefined;
}

/** Why a flag is refused, and what to use instead. */
function reason({ why, instead }: Extract<FlagRule, { kind: "owned" }>): string {
    return `${why}; ${instead ? `use ${instead.replaceAll("`", "")}` : "there is no option for it"}`;
}

/** Which versions have an entry of a list. */
function elsewhere({ name, minors }: ReturnType<typeof unknownEntries>[number]): string {
    return minors.length > 0 ? `; ${having(minors)} ${name}` : "";
}

/** `1.36 has`, or `1.35, 1.36 and 1.37 have`. */
function having(minors: readonly string[]): string {
    return minors.length === 1 ? `${minors[0]} has` : `${minors.slice(0, -1).join(", ")} and ${minors.at(-1)} have`;
}

function hint(program: Program, flag: string, known: ReadonlyMap<string, string>): string {
    const others = minorsWith(program, flag);
    if (others.length > 0) return `; ${having(others)} it`;
    const [nearest] = [...known.keys()]
        .map((name) => ({ name, letters: distance(flag, name) }))
        .sort((one, other) => one.letters - other.letters);
    return nearest && nearest.letters <= farthest ? `; nearest: ${nearest.name}` : "";
}

/** Levenshtein distance: the number of letters to insert, remove or replace. */
export function distance(one: string, other: string): number {
    let row = [...Array(other.length + 1).keys()];
    for (const [i, letter] of [...one].entries()) {
        const next = [i + 1];
        for (const [j, desired] of [...other].entries()) {
            next.push(Math.min(row[j + 1]! + 1, next[j]! + 1, row[j]! + (letter === desired ? 0 : 1)));
        }
        row = next;
    }
    return row.at(-1)!;
}

/** Values of flags; several of one that is given repeatedly. */
export type Flags = Readonly<Record<string, string | readonly string[]>>;

/** Renders flags as `--name=value`. */
export function commandLine(flags: Flags): string[] {
    return Object.entries(flags).flatMap(([flag, values]) => [values].flat().map((value) => `--${flag}=${value}`));
}

/** Extra flags override the generated ones; entries of lists are appended to the generated ones. */
export function withExtra(program: Program, flags: Flags, extra: Record<string, string> = {}): Flags {
    const added = Object.entries(extra).map(([flag, value]) => {
        const isList = flagRule(program, flag)?.kind === "merged";
        return [flag, isList ? mergedList([flags[flag] ?? ""].flat().join(), value) : value];
    });
    return { ...flags, ...Object.fromEntries(added) };
}

/**
 * Merges two lists so that each key (the part before `=`) occurs once: the last value is used, in the position of the
 * first.
 */
function mergedList(ours: string, added: string): string {
    const entries = new Map<string, string>();
    for (const entry of [...entriesOf(ours), ...entriesOf(added)]) {
        entries.set(entry.split("=")[0]!.trim(), entry);
    }
    return [...entries.values()].join(",");
}
