import { existsSync } from "node:fs";
import { join } from "node:path";
import { writeDurably } from "../common/durable";
import type { BootstrapPlan } from "./plan";

/** On this disk: the bootstrap is over for good. */
export function hasStamp(plan: BootstrapPlan): boolean {
    return existsSync(stampPath(plan));
}

export function writeStamp(plan: BootstrapPlan, content: { readonly pivotedAt: string }): void {
    writeDurably(stampPath(plan), `${JSON.stringify({ cluster: plan.clusterName, ...content })}\n`, { mode: 0o644 });
}

function stampPath({ directories }: BootstrapPlan): string {
    return join(directories.state, "pivoted");
}
