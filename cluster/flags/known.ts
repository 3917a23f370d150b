import table from "./known-flags.json";

export type Program =
    | "kube-apiserver"
    | "kube-controller-manager"
    | "kube-scheduler"
    | "kubelet"
    | "etcd"
    | AddonProgram;

export type AddonProgram = "kube-proxy" | "coredns" | "flannel" | "kube-router";

/** Flags shared by a set of minor versions. */
export interface FlagGroup {
    readonly minors: readonly string[];
    /** `name`, or `name: deprecation notice of its program`. */
    readonly flags: readonly string[];
}

export type FlagTable = Readonly<Record<string, readonly FlagGroup[]>>;

/**
 * Flags of a program's minor version, each with its deprecation notice or `""`; undefined if this release does not know
 * that version. Source: the programs' own `--help`, collected by `npm run reference`.
 */
export function knownFlags(program: Program, minor: string): ReadonlyMap<string, string> | undefined {
    const groups = ((table as FlagTable)[program] ?? []).filter(({ minors }) => minors.includes(minor));
    if (groups.length === 0) return undefined;
    return new Map(
        groups.flatMap(({ flags }) =>
            flags.map((entry) => {
                const [name, ...why] = entry.split(": ");
                return [name!, why.join(": ")] as const;
            }),
        ),
    );
}

/** The known minor versions in which a program has a flag. */
export function minorsWith(program: Program, flag: string): string[] {
    const groups = (table as FlagTable)[program]!.filter(({ flags }) =>
        flags.some((entry) => entry === flag || entry.startsWith(`${flag}: `)),
    );
    return groups.flatMap(({ minors }) => minors);
}
