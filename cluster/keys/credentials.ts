import type { Network } from "../model";
import type { ControlPlaneSecretFiles, RegistryCredentials } from "../options";

/** PEM of a certificate and its private key. */
export interface KeyPair {
    readonly cert: string;
    readonly key: string;
}

/** All secrets of a cluster, as PEM text. */
export interface Credentials {
    /** Certificates of all trusted CAs, and the key of the issuing one. */
    readonly kubernetesCa: KeyPair;
    /** Certificate of the issuing CA. @default - the only one in `kubernetesCa` */
    readonly kubernetesIssuer?: string;
    readonly etcdCa: KeyPair;
    readonly frontProxyCa: KeyPair;
    /** Signs and verifies service account tokens; the public part also has the other accepted keys. */
    readonly serviceAccount: { readonly publicKey: string; readonly privateKey: string };
    /** Encryption keys of Secrets in etcd, by generation, in base64. @default none */
    readonly encryptionKeys?: Readonly<Record<number, string>>;
    /** Contents of the secret files that `controlPlaneFiles` names. @default none */
    readonly secretFiles?: ControlPlaneSecretFiles;
    readonly apiserver: KeyPair;
    readonly apiserverKubeletClient: KeyPair;
    readonly apiserverEtcdClient: KeyPair;
    readonly frontProxyClient: KeyPair;
    readonly controllerManager: KeyPair;
    readonly scheduler: KeyPair;
    readonly admin: KeyPair;
    /** Client certificate of the agent that admits machines. */
    readonly nodeApprover: KeyPair;
    /**
     * Client certificate of the first controller's kubelet, which starts before anything can sign one. It renews it
     * itself.
     */
    readonly firstKubelet: KeyPair;
    /** By node name: a server and peer certificate per etcd member. */
    readonly etcdMembers: Record<string, KeyPair>;
    /** `<6>.<16>` bootstrap tokens by node name, or by `<pool>/*` for pools whose machines are created at any time. */
    readonly bootstrapTokens: Record<string, string>;
}

/** Secrets that do not depend on pools: changing a pool does not change them, and a preview knows it. */
export type LastingCredentials = Omit<Credentials, "bootstrapTokens" | "nodeApprover">;

/** Credentials of the agent that admits machines, separate because older clusters lack them. */
export interface ApproverCredentials extends Pick<Credentials, "nodeApprover"> {
    readonly kubernetesCa: Pick<KeyPair, "cert">;
}

/** Serving certificate of the metrics proxies, separate because older clusters lack it. */
export interface MetricsCredentials {
    readonly metricsProxy: KeyPair;
}

/** Serving certificate of metrics-server, and the CAs that kube-apiserver and itself verify others by. */
export interface MetricsServerCredentials {
    readonly kubernetesCa: Pick<KeyPair, "cert">;
    readonly metricsServer: KeyPair;
}

/** What the administrator's kubeconfig is built from. */
export type AdministratorCredentials = Pick<Credentials, "kubernetesCa" | "admin">;

/** What machines boot with: nothing long-lived of the cluster's own. */
export interface JoiningCredentials {
    /** PEM of the Kubernetes CA certificate. */
    readonly ca: string;
    readonly bootstrapToken: string;
    /** Certificate of the first controller's receiver of bootstrap assets. @default none: there is no receiver */
    readonly receiver?: KeyPair;
    /** Logins for registry mirrors, which last. @default none */
    readonly registryCredentials?: RegistryCredentials;
}

/** A machine of the cluster. */
export interface Machine {
    /** Node name and host name. */
    readonly name: string;
    /** IPv4 address in the machines' network. */
    readonly address: string;
    /** IPv6 address in the same network. @default none */
    readonly address6?: string;
}

/** A machine in its own config: before it boots, its address may be unknown. */
export interface BootingMachine {
    /** Node name and host name. @default the host name assigned by the cloud */
    readonly name?: string;
    /** IPv4 address in the machines' network, or the network's block if the machine has exactly one address in it. */
    readonly address: string;
    /** The same for IPv6, in a cluster with IPv6 pods. @default none */
    readonly address6?: string;
}

const prefix = "https://kubernetes.default.svc.";

/** The issuer of service account tokens; the same as kubeadm's. */
export function issuerOf({ clusterDomain }: Pick<Network, "clusterDomain">): string {
    return `${prefix}${clusterDomain}`;
}

/** The `clusterDomain` in an issuer; undefined for issuers of another form. */
export function domainOf(issuer: string): string | undefined {
    return issuer.startsWith(prefix) ? issuer.slice(prefix.length) : undefined;
}
