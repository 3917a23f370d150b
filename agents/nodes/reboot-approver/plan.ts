import * as v from "valibot";
import { object, text, texts, url } from "../../harness/plan";
import type { WeeklyWindow } from "./decide";

export const planSchema = object({
    /** The API as the agent's own machine reaches it: `https://127.0.0.1:6443`. */
    apiServer: url("https"),
    windows: v.custom<readonly WeeklyWindow[]>(
        (windows) => Array.isArray(windows) && windows.length > 0 && windows.every(isWindow),
        "a list of at least one window with days, start and minutes",
    ),
    /** DaemonSets in kube-system that must be healthy, in addition to those of node-agents. */
    daemonSets: texts(),
    /** Label of controllers' Nodes. */
    controllerLabel: text("a label"),
});

/**
 * Plan of the reboot approver: when nodes may reboot, and what must be healthy: `plan.json`. It contains no secrets.
 */
export type RebootApproverPlan = v.InferOutput<typeof planSchema>;

function isWindow({ days, start, minutes }: WeeklyWindow): boolean {
    const isWhole = (value: unknown, least: number, most: number) =>
        Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
    const isDays = Array.isArray(days) && days.length > 0 && days.every((each) => isWhole(each, 0, 6));
    return isDays && isWhole(start, 0, 1439) && isWhole(minutes, 1, 1440);
}
