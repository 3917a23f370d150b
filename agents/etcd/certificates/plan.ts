import type { KubeletCredentials } from "../../../clients/kubernetes/kubelet-api";
import { type Check, isAbsolutePath, isText, isUrl, problemsOf, readPlanFile } from "../../harness/plan";
import type { Annotation } from "./static-pod";

/** Which member has other certificates: `plan.json`. They lie beside it. */
export interface EtcdCertificatesPlan {
    /** Name of the member. */
    readonly name: string;
    /** The member as it is reached on its own machine: `https://127.0.0.1:2379`. */
    readonly url: string;
    /** Where it tells of itself without a certificate: `http://127.0.0.1:2381`. */
    readonly healthUrl: string;
    /** Directory of its certificates on the machine. */
    readonly pki: string;
    /** Path of its static pod. */
    readonly staticPod: string;
    /** Its `--data-dir`, by which its process is found. */
    readonly data: string;
    /** What its static pod is to say of the authorities that it began with. */
    readonly annotation: Annotation;
    /** The kube-apiserver of its machine, which has to be well again too, and to know the pod. @default nobody */
    readonly api?: { readonly server: string; readonly credentials: KubeletCredentials };
    /** How long each wait may take. @default 60 */
    readonly timeoutSeconds?: number;
}

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
