import type { Operation, Timing } from "./up-output";

/** The boot timeline for people: each stage and, below the one they belong to, its parts. */
export function renderTimeline(stages: readonly Timing[], parts: Readonly<Record<string, readonly Timing[]>>): string {
    const rows = stages.flatMap(({ stage, seconds }) => [
        { label: stage, seconds },
        ...(parts[stage] ?? []).map((part) => ({ label: `  ${part.stage}`, seconds: part.seconds })),
    ]);
    const total = stages.reduce((sum, { seconds }) => sum + seconds, 0);
    const all = [{ label: "stage", seconds: undefined }, ...rows, { label: "total", seconds: total }];
    const width = Math.max(...all.map(({ label }) => label.length));
    return all
        .map(({ label, seconds }) => `${label.padEnd(width)}  ${(seconds?.toFixed(1) ?? "seconds").padStart(7)}`)
        .join("\n");
}

/** Of all that was done, what a change takes its time for: pods that give way to others. */
export function rollouts(operations: readonly Operation[]): Timing[] {
    return operations
        .filter(({ kind, seconds }) => ["DaemonSet", "Deployment"].includes(kind) && seconds >= 1)
        .map(({ name, kind, seconds }) => ({ stage: `${kind} ${name.split("/").at(-1)}`, seconds }));
}
