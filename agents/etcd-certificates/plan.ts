import type { KubeletCredentials } from "../common/kubelet-api";
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
