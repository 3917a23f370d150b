import { type Check, isText, isUrl, problemsOf, readPlanFile } from "../../harness/plan";
import type { RebootWindow } from "./decide";

/**
 * Plan of the reboot approver: when nodes may reboot, and what must be healthy: `plan.json`. It contains no secrets.
 */
export interface RebootApproverPlan {
    /** The API as the agent's own machine reaches it: `https://127.0.0.1:6443`. */
    readonly apiServer: string;
    readonly windows: readonly RebootWindow[];
    /** DaemonSets in kube-system that must be healthy, in addition to those of node-agents. */
    readonly daemonSets: readonly string[];
    /** Label of controllers' Nodes. */
    readonly controllerLabel: string;
}

export function readPlan(path: string): RebootApproverPlan {
    return readPlanFile<RebootApproverPlan>(path, planProblems);
}

/** Everything wrong with a plan, each problem with its path. */
export function planProblems({ apiServer, windows, daemonSets, controllerLabel }: RebootApproverPlan): string[] {
    const isList = Array.isArray(windows) && windows.length > 0 && windows.every(isWindow);
    const checks: Check[] = [
        [isUrl("https", apiServer), "apiServer", "an https:// URL without a path", apiServer],
        [isList, "windows", "a list of at least one window with days, start and minutes", windows],
        [Array.isArray(daemonSets) && daemonSets.every(isText), "daemonSets", "a list of names", daemonSets],
        [isText(controllerLabel), "controllerLabel", "a label", controllerLabel],
    ];
    return problemsOf(checks);
}

function isWindow({ days, start, minutes }: RebootWindow): boolean {
    const isWhole = (value: unknown, least: number, most: number) =>
        Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
    const isDays = Array.isArray(days) && days.length > 0 && days.every((each) => isWhole(each, 0, 6));
    return isDays && isWhole(start, 0, 1439) && isWhole(minutes, 1, 1440);
}
