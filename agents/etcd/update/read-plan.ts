import { type Check, isAbsolutePath, isText, isUrl, problemsOf, readPlanFile } from "../../harness/plan";
import { isStaticPod } from "./manifest";
import type { EtcdUpdatePlan } from "./plan";

export function readPlan(path: string): EtcdUpdatePlan {
    return readPlanFile<EtcdUpdatePlan>(path, planProblems);
}

/** Everything wrong with a plan, each problem with its path. */
export function planProblems(plan: EtcdUpdatePlan): string[] {
    const { id, name, clientUrl, healthUrl, endpoints, version, program, directories, staticPod } = plan;
    const isEndpoints =
        Array.isArray(endpoints) && endpoints.length > 0 && endpoints.every((url) => isUrl("https", url));
    const checks: Check[] = [
        [isText(id), "id", "a non-empty string", id],
        [isText(name), "name", "a name", name],
        [isUrl("https", clientUrl), "clientUrl", "an https:// URL without a path", clientUrl],
        [isUrl("http", healthUrl), "healthUrl", "an http:// URL without a path", healthUrl],
        [isEndpoints, "endpoints", "a list of at least one https:// URL", endpoints],
        [/^\d+\.\d+\.\d+$/.test(version), "version", "<major>.<minor>.<patch>", version],
        [isAbsolutePath(program), "program", "an absolute path", program],
        ...(["pki", "staticPods", "data", "podLogs", "state"] as const).map((key): Check => {
            const path = directories?.[key];
            return [isAbsolutePath(path), `directories.${key}`, "an absolute path", path];
        }),
    ];
    // The pod itself would fill the log.
    const problems = problemsOf(checks);
    return isStaticPod(staticPod) ? problems : [...problems, "staticPod must be a pod with etcd's command"];
}
