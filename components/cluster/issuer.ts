import type { Network } from "./model";

const prefix = "https://kubernetes.default.svc.";

/** What signs the tokens of service accounts, as tokens name it: kubeadm's, too. */
export function issuerOf({ clusterDomain }: Pick<Network, "clusterDomain">): string {
    return `${prefix}${clusterDomain}`;
}

/** The `clusterDomain` of a cluster by its issuer; undefined of an issuer that does not follow it. */
export function domainOf(issuer: string): string | undefined {
    return issuer.startsWith(prefix) ? issuer.slice(prefix.length) : undefined;
}
