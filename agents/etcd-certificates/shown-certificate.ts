import { readFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "node:tls";
import { authorityFile, certificateFile, type EtcdCertificatesPlan, keyFile } from "./plan";

/** Fingerprint of the certificate that the member shows who connects now. */
export function shownCertificate({ url, pki, name }: EtcdCertificatesPlan): Promise<string> {
    const { hostname, port } = new URL(url);
    const read = (file: string) => readFileSync(join(pki, file));
    return new Promise((resolve, reject) => {
        const socket = connect({
            host: hostname,
            port: Number(port),
            ca: read(authorityFile),
            cert: read(certificateFile),
            key: read(keyFile),
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
