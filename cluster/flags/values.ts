import type { Program } from "./known";
import table from "./known-values.json";
import { entriesOf } from "./rule";

/** Names shared by a set of minor versions. */
interface NameGroup {
    readonly minors: readonly string[];
    readonly names: readonly string[];
}

type ClosedList = "gates" | "apis" | "plugins" | "controllers";

/** Lists of a program: `apis` has group versions and the names of several, `controllers` both names of each. */
type ClosedLists = Readonly<Partial<Record<ClosedList, readonly NameGroup[]>>>;

/** Which list the entries of a flag belong to, and the name in an entry. */
const closed: Readonly<Record<string, { readonly list: ClosedList; readonly nameOf: (entry: string) => string }>> = {
    "feature-gates": { list: "gates", nameOf: (entry) => entry.split("=")[0]!.replace(/^kube:/, "") },
    "runtime-config": { list: "apis", nameOf: groupVersion },
    "enable-admission-plugins": { list: "plugins", nameOf: (entry) => entry },
    "disable-admission-plugins": { list: "plugins", nameOf: (entry) => entry },
    controllers: { list: "controllers", nameOf: (entry) => entry.replace(/^-/, "") },
};

/** An entry that a program does not know, and the minor versions that have it. */
interface UnknownEntry {
    readonly name: string;
    readonly minors: readonly string[];
}

/**
 * Entries of a flag's list that a program's minor version does not know, so that it would not start. Versions that are
 * missing in the table are not checked.
 *
 * Source: `--help` of the programs; feature gates and APIs also from Kubernetes' sources, because help lists neither
 * gates that are stable or deprecated nor APIs. Every gate was tried with the programs, which accept each other's (of 1.36
 * kube-scheduler lacks one).
 */
export function unknownEntries(program: Program, minor: string, flag: string, value: string): UnknownEntry[] {
    const { list, nameOf } = closed[flag] ?? {};
    const lists: ClosedLists = program === "etcd" ? table.etcd : table.kubernetes;
    const groups = (list && lists[list]) ?? [];
    if (!groups.some(({ minors }) => minors.includes(minor))) return [];
    const minorsWith = (name: string) =>
        groups.filter(({ names }) => names.includes(name)).flatMap(({ minors }) => minors);
    return entriesOf(value)
        .map((entry) => nameOf!(entry).trim())
        .filter((name) => name !== "*")
        .map((name) => ({ name, minors: minorsWith(name) }))
        .filter(({ minors }) => !minors.includes(minor));
}

/** Group versions that a minor version of Kubernetes can read, whether it serves them or not; undefined if unknown. */
export function apiVersionsOf(minor: string): string[] | undefined {
    const groups = table.kubernetes.apis.filter(({ minors }) => minors.includes(minor));
    return groups.length === 0 ? undefined : groups.flatMap(({ names }) => names);
}

/** `apps/v1` of `apps/v1=true` and of `apps/v1/deployments=true`; `v1` of `v1=true`. */
function groupVersion(entry: string): string {
    const [group = "", version] = entry.split("=")[0]!.trim().split("/");
    return version === undefined ? group : `${group}/${version}`;
}
