import { hostAddress, overlaps, parseCidr } from "./cidr";
import { resolveDualStack } from "./dual-stack";
import type { Network } from "./model";
import type { NetworkOptions } from "./options";
import { invalid, requireDnsName, requireOneOf } from "./validate";

/** Prefix length of the block of pod addresses that each node takes: kube-controller-manager's default. */
export const nodePodPrefix = 24;

/** Validates the cluster's own networks for `nodes` nodes and fills in the defaults. */
export function resolveNetwork(options: NetworkOptions, nodes: number): Network {
    const {
        podCidr = "10.2.0.0/16",
        serviceCidr = "10.3.0.0/16",
        clusterDomain = "cluster.local",
        kubeProxyMode = "nftables",
        keepsConntrackLimits = false,
    } = options;
    const pods = parseCidr("network.podCidr", podCidr);
    const services = parseCidr("network.serviceCidr", serviceCidr);
    // A rolling replacement needs room for one more node.
    const wanted = Math.max(2, Math.ceil(Math.log2(nodes + 1)));
    if (pods.prefix > nodePodPrefix - wanted) {
        throw invalid(
            "network.podCidr",
            `/${nodePodPrefix - wanted} or larger for ${nodes} nodes of a /${nodePodPrefix} each`,
            podCidr,
        );
    }
    // kube-apiserver refuses service blocks larger than /12.
    if (services.prefix < 12 || services.prefix > 24) {
        throw invalid("network.serviceCidr", "between /12 and /24", serviceCidr);
    }
    if (overlaps(pods, services)) {
        throw invalid("network.serviceCidr", `apart from network.podCidr ${podCidr}`, serviceCidr);
    }
    requireDnsName("network.clusterDomain", clusterDomain);
    return {
        podCidr: pods,
        serviceCidr: services,
        ...resolveDualStack(options, wanted),
        kubernetesServiceAddress: hostAddress(services, 1),
        dnsServiceAddress: hostAddress(services, 10),
        clusterDomain,
        kubeProxyMode: requireOneOf("network.kubeProxyMode", ["nftables", "iptables"] as const, kubeProxyMode),
        keepsConntrackLimits,
    };
}
