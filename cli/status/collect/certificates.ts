import { X509Certificate } from "node:crypto";
import { type Fact, known, unknown } from "../fact";
import type { CertificateFacts } from "../facts";

/** When a certificate in PEM ends; of several, the first. */
export function endOf(pem: string): Fact<string> {
    try {
        return known(new Date(new X509Certificate(pem).validTo).toISOString());
    } catch (error) {
        return unknown(`it cannot be read (${(error as Error).message})`);
    }
}

/** Those in the kubeconfig itself: nothing has to be asked for them. */
export function kubeconfigCertificates({ ca, certificate }: { ca?: Buffer; certificate?: Buffer }): CertificateFacts[] {
    const of = (name: string, pem: Buffer | undefined): CertificateFacts[] =>
        pem === undefined ? [] : [{ name, notAfter: endOf(pem.toString("utf8")), isVerified: true }];
    return [...of("Kubernetes CA", ca), ...of("this kubeconfig's client", certificate)];
}
