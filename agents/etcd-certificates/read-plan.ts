import { type Check, isAbsolutePath, isText, isUrl, problemsOf, readPlanFile } from "../common/read-plan";
import type { EtcdCertificatesPlan } from "./plan";

export function readPlan(path: string): EtcdCertificatesPlan {
    return readPlanFile<EtcdCertificatesPlan>(path, planProblems);
}

/** What is wrong with a plan, each with its path. */
export function planProblems({ name, url, pki, timeoutSeconds = 60 }: EtcdCertificatesPlan): string[] {
    const checks: Check[] = [
        [isText(name), "name", "a name", name],
        [isUrl("https", url), "url", "an https:// URL without a path", url],
        [isAbsolutePath(pki), "pki", "an absolute path", pki],
        [timeoutSeconds > 0, "timeoutSeconds", "a positive number", timeoutSeconds],
    ];
    return problemsOf(checks);
}
