/** Contents of a kubeconfig; certificates and keys are PEM text. */
export interface KubeconfigOptions {
    readonly cluster: string;
    /** URL of the API. */
    readonly server: string;
    readonly ca: string;
    /** Name of the user's entry. For people it contains the cluster's, so that kubeconfigs can be merged. */
    readonly user: string;
    /** @default the cluster's name */
    readonly context?: string;
    readonly credentials:
        | { readonly cert: string; readonly key: string }
        | { readonly token: string }
        | CertificateFile;
}

/** A file with both certificate and key, which clients reload when it changes. */
export interface CertificateFile {
    readonly certificateFile: string;
}

/** A kubeconfig as JSON, which is valid YAML for every client. */
export function kubeconfig(options: KubeconfigOptions): string {
    const { cluster, server, ca, user, context = cluster, credentials } = options;
    const base64 = (pem: string) => Buffer.from(pem).toString("base64");
    const identity = () => {
        if ("token" in credentials) return { token: credentials.token };
        if ("certificateFile" in credentials) {
            return { "client-certificate": credentials.certificateFile, "client-key": credentials.certificateFile };
        }
        return { "client-certificate-data": base64(credentials.cert), "client-key-data": base64(credentials.key) };
    };
    const config = {
        apiVersion: "v1",
        kind: "Config",
        clusters: [{ name: cluster, cluster: { server, "certificate-authority-data": base64(ca) } }],
        users: [{ name: user, user: identity() }],
        contexts: [{ name: context, context: { cluster, user } }],
        "current-context": context,
    };
    return `${JSON.stringify(config, null, 2)}\n`;
}
