import type { ClusterFacts } from "../facts";
import type { Verdict } from "../judge";

/** Raised when a field changes its meaning or goes; new fields come without. */
const format = 1;

/** For programs: the verdict, and all facts as they are (docs/status.md). */
export function renderJson(facts: ClusterFacts, { isHealthy, findings }: Verdict, indent?: number): string {
    const { cluster, at, ...rest } = facts;
    return JSON.stringify({ format, cluster, at, isHealthy, findings, ...rest }, undefined, indent);
}
