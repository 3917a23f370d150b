import { join } from "node:path";
import { writeDurably } from "../harness/durable";
import type { Observed } from "./decide";
import type { Observation } from "./observe";
import type { CheckpointerPlan } from "./plan";
import type { Damage } from "./seal";
import type { Store } from "./store";

/** What a parent's process runs from. */
export type RunsFrom = "api" | "checkpoint" | "both" | "nothing" | "unknown";

/** Published status of a parent. */
export interface ParentStatus {
    readonly runs: RunsFrom;
    /** Its current checkpoint. */
    readonly checkpoint?: { readonly generation: string; readonly savedAt: string };
    /** Why the running pod can't be saved. */
    readonly refused?: string;
    /** Files of its checkpoints that are not as they were saved, each with what is wrong. */
    readonly damaged?: readonly string[];
}

/** `4f0c1d2e3a4b5c6d/pod.json is empty`. */
export function describeDamage({ generation, file, problem }: Damage): string {
    return `${generation}/${file} ${problem}`;
}

export type Status = Readonly<Record<string, ParentStatus>>;

/** The status of every parent, sorted by name. */
export function statusOf({ allObserved, refusals }: Observation, store: Store): Status {
    const parents = [...allObserved].sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(
        parents.map(([parent, observed]) => {
            const { generation, savedAt } = store.current(parent) ?? {};
            const refused = refusals.get(parent);
            const damaged = store.damage(parent).map(describeDamage);
            return [
                parent,
                {
                    runs: runsFrom(observed),
                    ...(generation && savedAt && { checkpoint: { generation, savedAt } }),
                    ...(refused && { refused }),
                    ...(damaged.length > 0 && { damaged }),
                },
            ];
        }),
    );
}

function runsFrom({ kind, pod, active }: Observed): RunsFrom {
    if (pod === "unknown") {
        return "unknown";
    }
    // The checkpointer's copy is always installed, and works only without its parent.
    const isCopy = active !== undefined && !(kind === "self" && pod === "alive");
    if (isCopy) {
        return pod === "alive" ? "both" : "checkpoint";
    }
    return pod === "absent" ? "nothing" : "api";
}

/** For inspection on the machine itself. */
export function writeStatus({ directories }: CheckpointerPlan, status: Status): void {
    writeDurably(join(directories.state, "status.json"), `${JSON.stringify(status, null, 2)}\n`, { mode: 0o644 });
}
