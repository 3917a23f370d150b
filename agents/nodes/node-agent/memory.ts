/** How long what was seen has been so, as far as was known: seconds. */
export interface Memory {
    /** What the counts are about. */
    readonly about: string;
    readonly seen: number;
    readonly silent: number;
    readonly settled: number;
    readonly last: number;
}

/** What is seen at a moment. */
export interface Moment {
    readonly about: string;
    /** Whether anything is known of the node. */
    readonly isKnown: boolean;
    /** Whether it is as it is to become. */
    readonly isWell: boolean;
    /** Seconds. */
    readonly now: number;
}

/** The counts with one more moment in them; those of something else begin anew. What is not known settles nothing and unsettles nothing. */
export function counted(before: Memory | undefined, { about, isKnown, isWell, now }: Moment): Memory {
    const { seen, silent, settled, last } =
        before?.about === about ? before : { seen: 0, silent: 0, settled: 0, last: before?.last ?? now };
    const passed = now - last;
    if (!isKnown) {
        return { about, seen, silent: silent + passed, settled, last: now };
    }
    return { about, seen: seen + passed, silent, settled: isWell ? settled + passed : 0, last: now };
}

interface Cordonable {
    readonly isCordoned: boolean;
    /** It is being removed from the cluster. */
    readonly isLeaving: boolean;
}

/** What keeps a node on which something failed cordoned: somebody may have made it schedulable, or registered it anew. */
export function keepCordoned(node: "unknown" | Cordonable): readonly "cordon"[] {
    return node !== "unknown" && !node.isCordoned && !node.isLeaving ? ["cordon"] : [];
}
