import type { KubeletCredentials } from "../../../clients/kubernetes/kubelet-api";
import { type Check, isAbsolutePath, isText, isUrl, problemsOf, readPlanFile } from "../../harness/plan";
import type { Annotation } from "./static-pod";

/** Plan (`plan.json`) for replacing a member's certificates. The certificates are in the same directory. */
export interface EtcdCertificatesPlan {
    /** Name of the member. */
    readonly name: string;
    /** The member's URL on its own machine: `https://127.0.0.1:2379`. */
    readonly url: string;
    /** Its health and metrics URL, without TLS: `http://127.0.0.1:2381`. */
    readonly healthUrl: string;
    /** Directory of its certificates on the machine. */
    readonly pki: string;
    /** Path of its static pod. */
    readonly staticPod: string;
    /** Its `--data-dir`, used to find its process. */
    readonly data: string;
    /** Annotation for its static pod: the CAs it started with. */
    readonly annotation: Annotation;
    /**
     * The kube-apiserver on the same machine, which must become ready again and show the updated pod. @default - no
     * kube-apiserver
     */
    readonly api?: { readonly server: string; readonly credentials: KubeletCredentials };
    /** Timeout of each wait. @default 60 */
    readonly timeoutSeconds?: number;
}

export function readPlan(path: string): EtcdCertificatesPlan {
    return readPlanFile<EtcdCertificatesPlan>(path, planProblems);
}

/** Everything wrong with a plan, each problem with its path. */
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
