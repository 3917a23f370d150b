import { type Check, isAbsolutePath, isText, isUrl, problemsOf, readPlanFile } from "../common/read-plan";
import type { EtcdCertificatesPlan } from "./plan";

export function readPlan(path: string): EtcdCertificatesPlan {
    return readPlanFile<EtcdCertificatesPlan>(path, planProblems);
}

/** What is wrong with a plan, each with its path. */
export function planProblems(plan: EtcdCertificatesPlan): string[] {
    const { name, url, healthUrl, pki, staticPod, data, annotation, api, timeoutSeconds = 60 } = plan;
    const checks: Check[] = [
        [isText(name), "name", "a name", name],
        [isUrl("https", url), "url", "an https:// URL without a path", url],
        [isUrl("http", healthUrl), "healthUrl", "an http:// URL without a path", healthUrl],
        [isAbsolutePath(pki), "pki", "an absolute path", pki],
        [isAbsolutePath(staticPod), "staticPod", "an absolute path", staticPod],
        [isAbsolutePath(data), "data", "an absolute path", data],
        [isText(annotation?.name), "annotation.name", "a name", annotation?.name],
        ...(api === undefined ? [] : apiChecks(api)),
        [timeoutSeconds > 0, "timeoutSeconds", "a positive number", timeoutSeconds],
    ];
    return problemsOf(checks);
}

function apiChecks({ server, credentials }: NonNullable<EtcdCertificatesPlan["api"]>): Check[] {
    return [
        [isUrl("https", server), "api.server", "an https:// URL without a path", server],
        [isAbsolutePath(credentials?.ca), "api.credentials.ca", "an absolute path", credentials?.ca],
        [isAbsolutePath(credentials?.client), "api.credentials.client", "an absolute path", credentials?.client],
    ];
}
