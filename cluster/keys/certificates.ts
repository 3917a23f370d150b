import { type Certificates, type Cluster, kubeletRenewals, kubeletServings } from "../model";
import type { CertificateOptions } from "../options";
import { invalid, requireOneOf } from "../validate";
import { administratorGroups, revocable } from "./administrator";

/** Applies the defaults. Throws `<option> must be <legal> (got <value>)`. */
export function resolveCertificates(options: CertificateOptions): Certificates {
    const { generation = 1, administrator = 1, administratorGroup = revocable } = options;
    const { kubeletServing = "verified", kubeletRenewal = "listed" } = options;
    for (const [option, value] of Object.entries({ generation, administrator })) {
        if (!Number.isSafeInteger(value) || value < 1) {
            throw invalid(`certificates.${option}`, "a whole number, 1 or more", value);
        }
    }
    return {
        generation,
        administrator,
        administratorGroup: requireOneOf("certificates.administratorGroup", administratorGroups, administratorGroup),
        kubeletServing: requireOneOf("certificates.kubeletServing", kubeletServings, kubeletServing),
        kubeletRenewal: requireOneOf("certificates.kubeletRenewal", kubeletRenewals, kubeletRenewal),
    };
}

/** Days before expiry at which warnings start: enough time for an unhurried rotation. */
const warningDays = 90;
const millisecondsPerDay = 86_400_000;

/** What to do about an expiring certificate, by its name. */
const remedies: readonly (readonly [RegExp, string | undefined])[] = [
    // Kubelets renew theirs, and the receiver's is unused once the cluster is running.
    [/^system:node:|^bootstrap-receiver$/, undefined],
    [/^front-proxy-ca(-\d+)?$/, "rotate the CA with keys.frontProxyCa"],
    [/^etcd-ca(-\d+)?$/, "rotate the CA with keys.etcdCa"],
    [/^kubernetes-ca(-\d+)?$/, "rotate the CA with keys.kubernetesCa"],
    [/^(administrator|kubernetes-admin(-by-\d+)?)$/, "change certificates.administrator to another number"],
    [/./, "change certificates.generation to another number"],
];

/**
 * Lists certificates that expire soon, and what to do about them.
 *
 * @param expiry - expiry of each certificate by name: RFC 3339
 * @param now - milliseconds since 1970
 */
export function describeEnds(expiry: Readonly<Record<string, string>>, now: number): string | undefined {
    const lines = Object.entries(expiry).flatMap(([name, end]) => {
        const days = Math.floor((Date.parse(end) - now) / millisecondsPerDay);
        const remedy = remedies.find(([pattern]) => pattern.test(name))?.[1];
        const when = days < 0 ? `expired on ${end.slice(0, 10)}` : `expires on ${end.slice(0, 10)}, in ${days} days`;
        return days >= warningDays || remedy === undefined ? [] : [`  ${name} ${when}: ${remedy}`];
    });
    return lines.length === 0 ? undefined : ["certificates expire soon:", ...lines].join("\n");
}

export interface SubjectAlternativeNames {
    readonly dnsNames: string[];
    readonly ipAddresses: string[];
}

/** Every name and address at which clients reach an apiserver. */
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

/** The name that scrapers expect at every node: `server_name` of their TLS configuration. */
export const metricsProxyName = "metrics-proxy.kube-system.svc";

/** The name under which kube-apiserver reaches metrics-server: its Service. */
export const metricsServerName = "metrics-server.kube-system.svc";

/** Every name and address at which clients and peers reach an etcd member. */
export function etcdNames({ zone }: Cluster, node: string, address: string): SubjectAlternativeNames {
    return { dnsNames: [node, `${node}.${zone}`, "localhost"], ipAddresses: [address, "127.0.0.1"] };
}
