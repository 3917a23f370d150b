import type { Program } from "./known";
import table from "./known-values.json";
import { entriesOf } from "./rule";

/** Values that exist in a minor version, of lists that are closed. */
interface KnownValues {
    readonly gates: readonly string[];
    /** Group versions, and the names of several. */
    readonly apis?: readonly string[];
    readonly plugins?: readonly string[];
    /** By both of their names. */
    readonly controllers?: readonly string[];
}

/** Which list the entries of a flag belong to, and the name in an entry. */
const closed: Readonly<
    Record<string, { readonly list: keyof KnownValues; readonly nameOf: (entry: string) => string }>
> = {
    "feature-gates": { list: "gates", nameOf: (entry) => entry.split("=")[0]!.replace(/^kube:/, "") },
    "runtime-config": { list: "apis", nameOf: groupVersion },
    "enable-admission-plugins": { list: "plugins", nameOf: (entry) => entry },
    "disable-admission-plugins": { list: "plugins", nameOf: (entry) => entry },
    controllers: { list: "controllers", nameOf: (entry) => entry.replace(/^-/, "") },
};

/**
 * Entries of a flag's list that a program's minor version does not know, so that it would not start. Versions that are
 * missing in the table are not checked.
 *
 * Source: `--help` of the programs; feature gates and APIs also from Kubernetes' sources, because help lists neither
 * gates that are stable or deprecated nor APIs. Programs of Kubernetes accept each other's gates.
 */
export function unknownEntries(program: Program, minor: string, flag: string, value: string): string[] {
    const { list, nameOf } = closed[flag] ?? {};
    const versions: Readonly<Record<string, KnownValues>> = program === "etcd" ? table.etcd : table.kubernetes;
    const known = list && versions[minor]?.[list];
    if (known === undefined) return [];
    const names = entriesOf(value).map((entry) => nameOf!(entry).trim());
    return names.filter((name) => name !== "*" && !known.includes(name));
}

/** `apps/v1` of `apps/v1=true` and of `apps/v1/deployments=true`; `v1` of `v1=true`. */
function groupVersion(entry: string): string {
    const [group = "", version] = entry.split("=")[0]!.trim().split("/");
    return version === undefined ? group : `${group}/${version}`;
}
