import { X509Certificate } from "node:crypto";
import { connect } from "node:tls";
import type { TestCluster } from "./cluster";

export const certificateKinds = ["client", "server"] as const;
export type CertificateKind = (typeof certificateKinds)[number];

const pki = "/var/lib/kubelet/pki";

/** A node's kubelet certificate, as a client or as a server. */
export async function kubeletCertificate(
    cluster: TestCluster,
    node: string,
    kind: CertificateKind,
): Promise<X509Certificate> {
    return new X509Certificate(await cluster.exec(node, `cat ${pki}/kubelet-${kind}-current.pem`));
}

/** Makes a node's kubelet request both again, like a new one. */
export async function forgetKubeletCertificates(cluster: TestCluster, node: string): Promise<void> {
    const names = certificateKinds.map((kind) => `${pki}/kubelet-${kind}-*.pem`).join(" ");
    await cluster.exec(node, `systemctl stop kubelet && rm -f ${names} && systemctl start kubelet`);
}

/** Serial number of the certificate that a server presents. */
export function shownSerial(host: string, port: number): Promise<string> {
    return new Promise((resolve, reject) => {
        const socket = connect({ host, port, rejectUnauthorized: false }, () => {
            resolve(socket.getPeerCertificate().serialNumber);
            socket.destroy();
        });
        socket.once("error", reject);
    });
}
