import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "node:tls";
import { writeDurably } from "../common/durable";
import { waitFor } from "../common/wait";
import { authorityFile, certificateFile, type EtcdCertificatesPlan, keyFile } from "./plan";

/**
 * Gives a member another certificate for the key that it has, and waits until it shows it.
 *
 * etcd reads its certificate at every handshake: it goes on without a restart, and so do its open connections.
 *
 * @param source - directory of the new one
 * @throws if it is not for the member's key, or the member does not show it in time
 */
export async function renewCertificate(
    plan: EtcdCertificatesPlan,
    source: string,
    report: (message: string) => void,
): Promise<void> {
    const text = readFileSync(join(source, certificateFile), "utf8");
    const path = join(plan.pki, certificateFile);
    const wanted = new X509Certificate(text);
    requireOwn(plan, wanted);
    if (readFileSync(path, "utf8") === text) {
        report(`${plan.name} has the certificate already`);
    } else {
        writeDurably(path, text);
        report(`${plan.name} has another certificate, until ${new Date(wanted.validTo).toISOString()}`);
    }
    const deadline = performance.now() + (plan.timeoutSeconds ?? 60) * 1000;
    await waitFor({ deadline, report }, `${plan.name} to show its new certificate`, async () => {
        try {
            const shown = await certificateAt(plan);
            return shown === wanted.fingerprint256 ? undefined : `it shows ${shown}`;
        } catch (error) {
            return (error as Error).message;
        }
    });
    report(`${plan.name} shows it`);
}

/** With another authority's, or another key's, the member would be lost to its peers. */
function requireOwn({ name, pki }: EtcdCertificatesPlan, wanted: X509Certificate): void {
    const read = (file: string) => readFileSync(join(pki, file), "utf8");
    const current = new X509Certificate(read(certificateFile));
    const keyOf = ({ publicKey }: X509Certificate) => publicKey.export({ type: "spki", format: "pem" });
    if (keyOf(wanted) !== keyOf(current)) {
        throw new Error(`the new certificate must be for the key that ${name} has, got one for another`);
    }
    if (!wanted.verify(new X509Certificate(read(authorityFile)).publicKey)) {
        throw new Error(`the new certificate must be of the authority that ${name} trusts, got one of another`);
    }
}

/** Fingerprint of the certificate that the member shows who connects now. */
function certificateAt({ url, pki, name }: EtcdCertificatesPlan): Promise<string> {
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
