import type { Network } from "./model";

/** What signs the tokens of service accounts, as tokens name it. Source: kubeadm's. */
export function issuerOf({ clusterDomain }: Pick<Network, "clusterDomain">): string {
    return `https://kubernetes.default.svc.${clusterDomain}`;
}
