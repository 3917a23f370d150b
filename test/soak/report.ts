/** A sequence that the cluster survived. */
export interface Outcome {
    readonly index: number;
    /** Names of the faults. */
    readonly faults: readonly string[];
    /** From the end of the last fault until the cluster was healthy. */
    readonly seconds: number;
    /** Longest time between two acknowledged writes. Unit: seconds. */
    readonly gap: number;
}

/** Survived sequences, by fault. */
export function summary(outcomes: readonly Outcome[]): string {
    const names = [...new Set(outcomes.flatMap(({ faults }) => faults))].sort();
    const width = Math.max(5, ...names.map((name) => name.length));
    const rows = names.map((name) => {
        const all = outcomes.filter(({ faults }) => faults.includes(name));
        const alone = all.filter(({ faults }) => faults.length === 1);
        const cells = [all.length, alone.length, range(alone, "seconds"), range(alone, "gap"), range(all, "seconds")];
        return row(name, cells, width);
    });
    const head = row("fault", ["times", "alone", "healthy (s)", "gap (s)", "with others (s)"], width);
    return [`==> ${outcomes.length} sequences survived`, ...(rows.length > 0 ? [head, ...rows] : [])].join("\n");
}

function row(name: string, cells: readonly unknown[], width: number): string {
    return `${name.padEnd(width)}  ${cells.map((cell) => String(cell).padStart(15)).join(" ")}`;
}

/** Median and worst. */
function range(outcomes: readonly Outcome[], field: "seconds" | "gap"): string {
    const sorted = outcomes.map((outcome) => outcome[field]).sort((a, b) => a - b);
    if (sorted.length === 0) return "-";
    return `${sorted[Math.floor((sorted.length - 1) / 2)]!.toFixed(1)}..${sorted.at(-1)!.toFixed(1)}`;
}
