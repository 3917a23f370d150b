import { type Check, isAbsolutePath, isText, isUrl, problemsOf, readPlanFile } from "../common/read-plan";
import type { EtcdCertificatesPlan } from "./plan";

export function readPlan(path: string): EtcdCertificatesPlan {
    return readPlanFile<EtcdCertificatesPlan>(path, planProblems);
}

/** What is wrong with a plan, each with its path. */
export function planProblems(plan: EtcdCertificatesPlan): string[] {
    const { name, url, healthUrl, pki, staticPod, annotation, apiServer, timeoutSeconds = 60 } = plan;
    const isApiServer = apiServer === undefined || isUrl("https", apiServer);
    const checks: Check[] = [
        [isText(name), "name", "a name", name],
        [isUrl("https", url), "url", "an https:// URL without a path", url],
        [isUrl("http", healthUrl), "healthUrl", "an http:// URL without a path", healthUrl],
        [isAbsolutePath(pki), "pki", "an absolute path", pki],
        [isAbsolutePath(staticPod), "staticPod", "an absolute path", staticPod],
        [isText(annotation?.name), "annotation.name", "a name", annotation?.name],
        [isApiServer, "apiServer", "an https:// URL without a path", apiServer],
        [timeoutSeconds > 0, "timeoutSeconds", "a positive number", timeoutSeconds],
    ];
    return problemsOf(checks);
}
