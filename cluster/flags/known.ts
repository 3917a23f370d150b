import table from "./known-flags.json";

export type Program = "kube-apiserver" | "kube-controller-manager" | "kube-scheduler" | "kubelet" | "etcd";

/** Flags that the same minor versions have. */
export interface FlagGroup {
    readonly minors: readonly string[];
    /** `name`, or `name: what its program says of its end`. */
    readonly flags: readonly string[];
}

export type FlagTable = Readonly<Record<string, readonly FlagGroup[]>>;

/**
 * What a program's minor version takes, each with why it is deprecated, `""` if it is not; undefined where this release knows
 * nothing of that version. Source: programs' own `--help`, by `npm run reference`.
 */
export function knownFlags(program: Program, minor: string): ReadonlyMap<string, string> | undefined {
    const groups = (table as FlagTable)[program]!.filter(({ minors }) => minors.includes(minor));
    if (groups.length === 0) {
        return undefined;
    }
    return new Map(
        groups.flatMap(({ flags }) =>
            flags.map((entry) => {
                const [name, ...why] = entry.split(": ");
                return [name!, why.join(": ")] as const;
            }),
        ),
    );
}

/** The minor versions in which a program has a flag, of those that this release knows. */
export function minorsWith(program: Program, flag: string): string[] {
    const groups = (table as FlagTable)[program]!.filter(({ flags }) =>
        flags.some((entry) => entry === flag || entry.startsWith(`${flag}: `)),
    );
    return groups.flatMap(({ minors }) => minors);
}
