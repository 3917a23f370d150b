/** How long observations have held, as far as known: seconds. */
export interface Memory {
    /** What is being counted. */
    readonly about: string;
    readonly seen: number;
    readonly silent: number;
    readonly settled: number;
    readonly last: number;
}

/** An observation at one moment. */
export interface Moment {
    readonly about: string;
    /** Whether the node's state is known. */
    readonly isKnown: boolean;
    /** Whether it is in the desired state. */
    readonly isWell: boolean;
    /** Seconds. */
    readonly now: number;
}

/**
 * Adds a moment to the counts, or restarts them for another subject. Unknown states count for nothing and reset
 * nothing.
 */
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

/** Keeps a node cordoned on which something failed: it may have been uncordoned manually, or registered again. */
export function keepCordoned(node: "unknown" | Cordonable): readonly "cordon"[] {
    return node !== "unknown" && !node.isCordoned && !node.isLeaving ? ["cordon"] : [];
}
