import type { Credentials } from "./api-client";

/** The CA, certificate and key in a kubeconfig that is JSON and has them as data. */
export function kubeconfigCredentials(text: string): Credentials {
    const decoded = (base64: string) => Buffer.from(base64, "base64").toString();
    const { clusters, users } = JSON.parse(text);
    const [{ cluster }] = clusters;
    const [{ user }] = users;
    return {
        ca: decoded(cluster["certificate-authority-data"]),
        cert: decoded(user["client-certificate-data"]),
        key: decoded(user["client-key-data"]),
    };
}
