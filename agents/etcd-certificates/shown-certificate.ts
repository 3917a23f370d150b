import { connect } from "node:tls";
import { memberCredentials } from "../common/member-credentials";
import type { EtcdCertificatesPlan } from "./plan";

/** Fingerprint of the certificate that the member shows who connects now. */
export function shownCertificate({ url, pki, name }: EtcdCertificatesPlan): Promise<string> {
    const { hostname, port } = new URL(url);
    return new Promise((resolve, reject) => {
        const socket = connect({
            host: hostname,
            port: Number(port),
            ...memberCredentials(pki)(),
            timeout: 5000,
        });
        socket.once("secureConnect", () => {
            const { fingerprint256 } = socket.getPeerCertificate();
            socket.destroy();
            resolve(fingerprint256);
        });
        socket.once("timeout", () => socket.destroy(new Error(`${name} did not answer in 5 s`)));
        socket.once("error", reject);
    });
}
