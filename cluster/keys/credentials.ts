import type { Network } from "../model";

/** PEM of a certificate and its private key. */
export interface KeyPair {
    readonly cert: string;
    readonly key: string;
}

/** Everything secret of a cluster, as PEM text. */
export interface Credentials {
    /** The certificate of each that is trusted, and the key of the one that issues. */
    readonly kubernetesCa: KeyPair;
    /** The certificate of the one that issues. @default - the only one of `kubernetesCa` */
    readonly kubernetesIssuer?: string;
    readonly etcdCa: KeyPair;
    readonly frontProxyCa: KeyPair;
    /** Signs service account tokens, and verifies them: those of further keys too. */
    readonly serviceAccount: { readonly publicKey: string; readonly privateKey: string };
    /** By generation, in base64: with them Secrets are kept in etcd. @default none */
    readonly encryptionKeys?: Readonly<Record<number, string>>;
    readonly apiserver: KeyPair;
    readonly apiserverKubeletClient: KeyPair;
    readonly apiserverEtcdClient: KeyPair;
    readonly frontProxyClient: KeyPair;
    readonly controllerManager: KeyPair;
    readonly scheduler: KeyPair;
    readonly admin: KeyPair;
    /** Client of the agent that admits machines. */
    readonly nodeApprover: KeyPair;
    /** Client of the first controller's kubelet, which starts when nobody is there to sign one. It renews it itself. */
    readonly firstKubelet: KeyPair;
    /** By node name: a server and peer certificate per etcd member. */
    readonly etcdMembers: Record<string, KeyPair>;
    /** `<6>.<16>` bootstrap tokens by node name; `<pool>/*` of pools whose machines come at any time. */
    readonly bootstrapTokens: Record<string, string>;
}

/** Without what a pool brings: another one changes none of these, and a preview knows that. */
export type LastingCredentials = Omit<Credentials, "bootstrapTokens" | "nodeApprover">;

/** What the agent that admits machines has: apart from the others, since clusters of before lack it. */
export interface ApproverCredentials extends Pick<Credentials, "nodeApprover"> {
    readonly kubernetesCa: Pick<KeyPair, "cert">;
}

/** What the administrator's kubeconfig is made of. */
export type AdministratorCredentials = Pick<Credentials, "kubernetesCa" | "admin">;

/** What machines boot with: nothing that lasts. */
export interface JoiningCredentials {
    /** PEM of the Kubernetes CA certificate. */
    readonly ca: string;
    readonly bootstrapToken: string;
    /** By which the first controller is known to who brings it the bootstrap's assets. @default none: nobody does */
    readonly receiver?: KeyPair;
}

/** A machine of the cluster. */
export interface Machine {
    /** Node name and host name. */
    readonly name: string;
    /** IPv4 address in the machines' network. */
    readonly address: string;
    /** IPv6 address there. @default none */
    readonly address6?: string;
}

/** A machine as its own config knows it: before it boots, its address may not be known. */
export interface BootingMachine {
    /** Node name and host name. @default the host name that the cloud gives it */
    readonly name?: string;
    /** IPv4 address in the machines' network, or the network's block, in which the machine has just one. */
    readonly address: string;
    /** IPv6 address there, in a cluster whose pods have some too. @default none */
    readonly address6?: string;
}

const prefix = "https://kubernetes.default.svc.";

/** What signs the tokens of service accounts, as tokens name it: kubeadm's, too. */
export function issuerOf({ clusterDomain }: Pick<Network, "clusterDomain">): string {
    return `${prefix}${clusterDomain}`;
}

/** The `clusterDomain` of a cluster by its issuer; undefined of an issuer that does not follow it. */
export function domainOf(issuer: string): string | undefined {
    return issuer.startsWith(prefix) ? issuer.slice(prefix.length) : undefined;
}
