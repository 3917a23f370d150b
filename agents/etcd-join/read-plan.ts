import { type Check, isAbsolutePath, isText, isUrl, problemsOf, readPlanFile } from "../common/read-plan";
import { type EtcdJoinPlan, initialClusterPlaceholder } from "./plan";

export function readPlan(path: string): EtcdJoinPlan {
    return readPlanFile<EtcdJoinPlan>(path, planProblems);
}

/** What is wrong with a plan, each with its path. */
export function planProblems(plan: EtcdJoinPlan): string[] {
    const { name, peerUrl, clientUrl, healthUrl, endpoints, directories, staticPod } = plan;
    const checks: Check[] = [
        [isText(name), "name", "a name", name],
        [isUrl("https", peerUrl), "peerUrl", "an https:// URL without a path", peerUrl],
        [isUrl("https", clientUrl), "clientUrl", "an https:// URL without a path", clientUrl],
        [isUrl("http", healthUrl), "healthUrl", "an http:// URL without a path", healthUrl],
        [isEndpoints(endpoints), "endpoints", "a list of at least one https:// URL", endpoints],
        ...(["pki", "staticPods", "data"] as const).map((key): Check => {
            const path = directories?.[key];
            return [isAbsolutePath(path), `directories.${key}`, "an absolute path", path];
        }),
    ];
    const problems = problemsOf(checks);
    // Its text would fill the log.
    const hasPlaceholder = JSON.stringify(staticPod ?? "").includes(initialClusterPlaceholder);
    return hasPlaceholder ? problems : [...problems, `staticPod must hold ${initialClusterPlaceholder}`];
}

function isEndpoints(value: unknown): boolean {
    return Array.isArray(value) && value.length > 0 && value.every((url) => isUrl("https", url));
}
