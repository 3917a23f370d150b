import { readFileSync } from "node:fs";
import type { Report } from "../report";

/** Numbers of nodes. */
export const steps = [10, 100, 250, 1000] as const;

/** Measurements of one step, by what was measured. */
export type Measured = Readonly<Record<string, number>>;

/** One row for each measurement, with its growth from the first step to the last per node. */
export function growthTable(measured: ReadonlyMap<number, Measured>): string[] {
    const sizes = [...measured.keys()];
    const names = [...new Set([...measured.values()].flatMap((each) => Object.keys(each)))];
    const cells = (row: readonly string[]) => `| ${row.join(" | ")} |`;
    const rows = names.map((name) => {
        const values = sizes.map((size) => measured.get(size)![name]);
        return cells([name, ...values.map(shown), shown(growthOf(measured, name))]);
    });
    const heading = ["", ...sizes.map((size) => `${size} nodes`), "per node"];
    return [cells(heading), cells(heading.map(() => "---")), ...rows];
}

/** From the smallest step that has the measurement to the largest, per node; undefined if there is only one. */
export function growthOf(measured: ReadonlyMap<number, Measured>, name: string): number | undefined {
    const known = [...measured].filter(([, each]) => each[name] !== undefined);
    const [first, last] = [known[0], known.at(-1)];
    if (!first || !last || first === last) return undefined;
    return (last[1][name]! - first[1][name]!) / (last[0] - first[0]);
}

function shown(value: number | undefined): string {
    if (value === undefined) return "";
    return Number(value.toPrecision(3)).toString();
}

export function sayTable({ say }: Report, title: string, measured: ReadonlyMap<number, Measured>): void {
    say(title);
    for (const line of growthTable(measured)) say(line);
}

/** Milliseconds of CPU time of ended child processes and theirs, plugins included. Source: proc_pid_stat(5). */
export function childrenTime(): number {
    const stat = readFileSync("/proc/self/stat", "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[13]) + Number(fields[14])) * 10;
}
