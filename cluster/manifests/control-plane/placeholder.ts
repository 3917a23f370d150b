import type { Credentials, KeyPair } from "../../keys/credentials";
import type { Cluster } from "../../model";

const none: KeyPair = { cert: "", key: "" };

/** Credentials with nothing in them: enough to know which objects there will be. */
export function placeholderCredentials({ controllers, workerPools }: Cluster): Credentials {
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
        etcdMembers: Object.fromEntries(controllers.names.map((name) => [name, none])),
        // Each a different one, since a token's Secret is named by it.
        bootstrapTokens: Object.fromEntries(
            [...controllers.names, ...workerPools.flatMap(({ nodes }) => nodes)].map((node) => [node, node]),
        ),
    };
}
