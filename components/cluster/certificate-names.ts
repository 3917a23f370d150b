import type { Cluster } from "./model";

export interface SubjectAlternativeNames {
    readonly dnsNames: string[];
    readonly ipAddresses: string[];
}

/** Every name and address by which a client may reach an apiserver. */
export function apiserverNames(
    { apiName, network }: Cluster,
    controllerAddresses: readonly string[],
): SubjectAlternativeNames {
    const service = "kubernetes.default.svc";
    return {
        dnsNames: [
            apiName,
            "kubernetes",
            "kubernetes.default",
            service,
            `${service}.${network.clusterDomain}`,
            "localhost",
        ],
        ipAddresses: [network.kubernetesServiceAddress, "127.0.0.1", ...controllerAddresses],
    };
}

/** Every name and address by which a client or peer may reach an etcd member. */
export function etcdNames({ zone }: Cluster, node: string, address: string): SubjectAlternativeNames {
    return { dnsNames: [node, `${node}.${zone}`, "localhost"], ipAddresses: [address, "127.0.0.1"] };
}
