import type { KeyPair, LastingCredentials } from "../../keys/credentials";
import { encryptionConfiguration, isEncrypting } from "../../keys/encryption";
import { firstKeys, keysAnnotations } from "../../keys/lists";
import { kubeconfig } from "../../kubeconfig";
import { contentHash, type Manifest } from "../../manifest";
import type { Cluster } from "../../model";
import { localApiServer } from "../../network/ports";
import { json, secret } from "../objects";
import { authenticationConfig } from "./authentication";

/** The control plane components with credentials, each in a Secret of this name. */
export const credentialHolders = ["kube-apiserver", "kube-controller-manager", "kube-scheduler"] as const;
export type CredentialHolder = (typeof credentialHolders)[number];

/** A component's credential files: contents by file name. */
export function credentialFiles(
    cluster: Cluster,
    holder: CredentialHolder,
    secrets: LastingCredentials,
): Record<string, string> {
    switch (holder) {
        case "kube-apiserver":
            return {
                "authentication.json": json(authenticationConfig()),
                "ca.crt": secrets.kubernetesCa.cert,
                "apiserver.crt": secrets.apiserver.cert,
                "apiserver.key": secrets.apiserver.key,
                "etcd-ca.crt": secrets.etcdCa.cert,
                "etcd-client.crt": secrets.apiserverEtcdClient.cert,
                "etcd-client.key": secrets.apiserverEtcdClient.key,
                "front-proxy-ca.crt": secrets.frontProxyCa.cert,
                "front-proxy-client.crt": secrets.frontProxyClient.cert,
                "front-proxy-client.key": secrets.frontProxyClient.key,
                "kubelet-client.crt": secrets.apiserverKubeletClient.cert,
                "kubelet-client.key": secrets.apiserverKubeletClient.key,
                "service-account.key": secrets.serviceAccount.privateKey,
                "service-account.pub": secrets.serviceAccount.publicKey,
                ...(isEncrypting(cluster.keys) && {
                    "encryption.json": json(encryptionConfiguration(cluster.keys, secrets.encryptionKeys ?? {})),
                }),
            };
        case "kube-controller-manager":
            return {
                "ca.crt": secrets.kubernetesCa.cert,
                "ca.key": secrets.kubernetesCa.key,
                // It accepts only one certificate, and may start at any time during a CA rotation.
                "issuing-ca.crt": secrets.kubernetesIssuer ?? secrets.kubernetesCa.cert,
                "front-proxy-ca.crt": secrets.frontProxyCa.cert,
                kubeconfig: localKubeconfig(
                    cluster,
                    "system:kube-controller-manager",
                    secrets,
                    secrets.controllerManager,
                ),
                "service-account.key": secrets.serviceAccount.privateKey,
            };
        case "kube-scheduler":
            return {
                "ca.crt": secrets.kubernetesCa.cert,
                "front-proxy-ca.crt": secrets.frontProxyCa.cert,
                kubeconfig: localKubeconfig(cluster, "system:kube-scheduler", secrets, secrets.scheduler),
            };
    }
}

/** A component connects to the apiserver on its own node: it must not depend on a load balancer or DNS. */
function localKubeconfig(
    cluster: Cluster,
    user: string,
    { kubernetesCa }: LastingCredentials,
    credentials: KeyPair,
): string {
    return kubeconfig({ cluster: cluster.name, server: localApiServer, ca: kubernetesCa.cert, user, credentials });
}

/** The Secret mounted by a component's self-hosted pods. */
export function credentialSecret(cluster: Cluster, holder: CredentialHolder, secrets: LastingCredentials): Manifest {
    return secret(holder, credentialFiles(cluster, holder, secrets), keysOf(cluster, holder));
}

/** The keys in the Secret, if they differ from the initial ones: later steps depend on it. */
export function keysOf({ keys }: Cluster, holder: CredentialHolder): Record<string, string> | undefined {
    return keysAnnotations(holder === "kube-apiserver" ? keys : { ...firstKeys, kubernetesCa: keys.kubernetesCa });
}

/** Changes with a component's credentials without revealing them. */
export function credentialDigest(cluster: Cluster, holder: CredentialHolder, secrets: LastingCredentials): string {
    return contentHash(credentialFiles(cluster, holder, secrets));
}
