import { type Certificates, type Cluster, kubeletServings } from "../model";
import type { CertificateOptions } from "../options";
import { invalid, requireOneOf } from "../validate";

/** Fills in the defaults. Throws `<option> must be <legal>, got <value>`. */
export function resolveCertificates(options: CertificateOptions): Certificates {
    const { generation = 1, administrator = 1, kubeletServing = "own" } = options;
    for (const [option, value] of Object.entries({ generation, administrator })) {
        if (!Number.isSafeInteger(value) || value < 1) {
            throw invalid(`certificates.${option}`, "a whole number, 1 or more", value);
        }
    }
    return {
        generation,
        administrator,
        kubeletServing: requireOneOf("certificates.kubeletServing", kubeletServings, kubeletServing),
    };
}

/** Days before its end at which a certificate is warned of: time for a rotation that nobody has to hurry. */
const warningDays = 90;
const millisecondsPerDay = 86_400_000;

/** What to do with it, by the part of a certificate's name that tells. */
const remedies: readonly (readonly [RegExp, string | undefined])[] = [
    // Theirs renew them, and nobody needs the receiver's once the cluster is there.
    [/^system:node:|^bootstrap-receiver$/, undefined],
    [/^front-proxy-ca(-\d+)?$/, "have another authority follow it by keys.frontProxyCa"],
    [/^etcd-ca(-\d+)?$/, "have another authority follow it by keys.etcdCa"],
    [/^kubernetes-ca(-\d+)?$/, "have another authority follow it by keys.kubernetesCa"],
    [/^kubernetes-admin(-by-\d+)?$/, "give certificates.administrator another number"],
    [/./, "give certificates.generation another number"],
];

/**
 * Which certificates end soon, and what to do about it.
 *
 * @param expiry - when each certificate ends, by its name: RFC 3339
 * @param now - milliseconds since 1970
 */
export function describeEnds(expiry: Readonly<Record<string, string>>, now: number): string | undefined {
    const lines = Object.entries(expiry).flatMap(([name, end]) => {
        const days = Math.floor((Date.parse(end) - now) / millisecondsPerDay);
        const remedy = remedies.find(([pattern]) => pattern.test(name))?.[1];
        const when = days < 0 ? `ended on ${end.slice(0, 10)}` : `ends on ${end.slice(0, 10)}, in ${days} days`;
        return days >= warningDays || remedy === undefined ? [] : [`  ${name} ${when}: ${remedy}`];
    });
    return lines.length === 0 ? undefined : ["certificates end:", ...lines].join("\n");
}

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
