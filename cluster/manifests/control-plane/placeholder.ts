import type { Credentials, KeyPair } from "../../keys/credentials";
import { type Cluster, nodesByPool, possibleMembers } from "../../model";

const none: KeyPair = { cert: "", key: "" };

/** Empty credentials: sufficient to know which objects there will be. */
export function placeholderCredentials(cluster: Cluster): Credentials {
    return {
        kubernetesCa: none,
        etcdCa: none,
        frontProxyCa: none,
        serviceAccount: { publicKey: "", privateKey: "" },
        apiserver: none,
        apiserverKubeletClient: none,
        apiserverEtcdClient: none,
        frontProxyClient: none,
        controllerManager: none,
        scheduler: none,
        admin: none,
        nodeApprover: none,
        firstKubelet: none,
        etcdMembers: Object.fromEntries(possibleMembers(cluster).map((name) => [name, none])),
        // Each one different, because the name of a token's Secret depends on it.
        bootstrapTokens: Object.fromEntries(
            Object.values(nodesByPool(cluster))
                .flat()
                .map((node) => [node, node]),
        ),
    };
}
