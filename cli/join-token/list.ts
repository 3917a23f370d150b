import type { JoinedMachine, JoinedMachines } from "../../agents/nodes/approver/joined";
import { type Cell, cell, type Paint, shortTime, table } from "../status/render/table";

/** Machines that may join, and those that did, one per line. */
export function renderList(machines: JoinedMachines, paint: Paint, now = Date.now()): string {
    const entries = Object.entries(machines).sort(([one], [other]) => (one < other ? -1 : 1));
    if (entries.length === 0) return "no machine may join, and none did";
    const rows = entries.map(([node, machine]) => [
        node,
        machine.pool,
        machine.addresses.join(","),
        state(machine, now),
    ]);
    return table(["NODE", "POOL", "ADDRESS", "STATE"], rows, paint).join("\n");
}

function state({ joined, expires }: JoinedMachine, now: number): string | Cell {
    if (joined !== undefined) return cell(`joined ${shortTime(joined)}`, "good");
    if (Date.parse(expires) <= now) return cell(`expired ${shortTime(expires)}`, "faint");
    return cell(`may join until ${shortTime(expires)}`, "warning");
}
