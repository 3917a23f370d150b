import { cnis, kubeProxyModes, type Network, networkPolicyModes } from "../model";
import type { NetworkOptions } from "../options";
import { invalid, mustNot, requireDnsName, requireOneOf, requires } from "../validate";
import { type Cidr, hostAddress, overlaps, parseCidr, parseCidr6 } from "./cidr";
import { requireCniOptions } from "./cni";

/** kube-controller-manager's default. */
const defaultNodePrefix = 24;

/**
 * Prefix length of each node's block of pod addresses.
 *
 * @param flags - of kube-controller-manager, which are checked elsewhere
 */
export function nodePodPrefix(flags: Readonly<Record<string, string>> = {}): number {
    const given = flags["node-cidr-mask-size"] ?? flags["node-cidr-mask-size-ipv4"] ?? "";
    return /^(1[6-9]|2\d|30)$/.test(given) ? Number(given) : defaultNodePrefix;
}

/** Validates the cluster's own networks for `nodes` nodes and applies the defaults. */
export function resolveNetwork(
    options: NetworkOptions,
    nodes: number,
    /** Larger blocks are checked with the flag that sets them. */
    nodePrefix = defaultNodePrefix,
): Network {
    const {
        podCidr = "10.2.0.0/16",
        serviceCidr = "10.3.0.0/16",
        clusterDomain = "cluster.local",
        kubeProxyMode: chosenMode = "nftables",
        cni: chosenCni = "flannel",
        networkPolicies = chosenCni === "none" ? "ignored" : "enforced",
        keepConntrackLimits = false,
        controllerGuard = true,
    } = options;
    const pods = parseCidr("network.podCidr", podCidr);
    const services = parseCidr("network.serviceCidr", serviceCidr);
    // A rolling replacement needs room for one more node.
    const needed = Math.max(2, Math.ceil(Math.log2(nodes + 1)));
    if (pods.prefix > nodePrefix - needed) {
        throw invalid(
            "network.podCidr",
            `/${nodePrefix - needed} or larger for ${nodes} nodes of a /${nodePrefix} each`,
            podCidr,
        );
    }
    // kube-apiserver refuses service blocks larger than /12.
    if (services.prefix < 12 || services.prefix > 24) {
        throw invalid("network.serviceCidr", "between /12 and /24", serviceCidr);
    }
    if (overlaps(pods, services)) {
        throw mustNot("network.serviceCidr", `overlap network.podCidr ${podCidr}`, serviceCidr);
    }
    requireDnsName("network.clusterDomain", clusterDomain);
    const cni = requireOneOf("network.cni", cnis, chosenCni);
    const policies = requireOneOf("network.networkPolicies", networkPolicyModes, networkPolicies);
    const kubeProxyMode = requireOneOf("network.kubeProxyMode", kubeProxyModes, chosenMode);
    requireCniOptions({ cni, networkPolicies: policies, kubeProxyMode }, options.podCidr6);
    return {
        podCidr: pods,
        serviceCidr: services,
        ...resolveDualStack(options, needed),
        kubernetesServiceAddress: hostAddress(services, 1),
        dnsServiceAddress: hostAddress(services, 10),
        clusterDomain,
        kubeProxyMode,
        networkPolicies: policies,
        cni,
        keepConntrackLimits,
        controllerGuard,
    };
}

/** Prefix length of each node's block of IPv6 pod addresses: kube-controller-manager's default. */
const nodePodPrefix6 = 64;

/** kube-controller-manager splits a block into at most 2 to this power. */
const mostNodeBits = 16;

/** Validates the IPv6 networks. Pods and services must have both or neither. */
function resolveDualStack(
    { podCidr6, serviceCidr6 }: NetworkOptions,
    nodeBits: number,
): Pick<Network, "podCidr6" | "serviceCidr6"> {
    if (podCidr6 === undefined && serviceCidr6 === undefined) return {};
    if (podCidr6 === undefined || serviceCidr6 === undefined) {
        const [missing, other] = podCidr6 === undefined ? ["podCidr6", "serviceCidr6"] : ["serviceCidr6", "podCidr6"];
        throw requires(`network.${other}`, `network.${missing}`);
    }
    const pods = parseCidr6("network.podCidr6", podCidr6);
    const services = parseCidr6("network.serviceCidr6", serviceCidr6);
    requirePrefix("network.podCidr6", pods, nodePodPrefix6 - mostNodeBits, nodePodPrefix6 - nodeBits);
    // kube-apiserver refuses service blocks of more than 20 bits.
    requirePrefix("network.serviceCidr6", services, 108, 120);
    if (overlaps(pods, services)) {
        throw mustNot("network.serviceCidr6", `overlap network.podCidr6 ${pods.text}`, serviceCidr6);
    }
    return { podCidr6: pods, serviceCidr6: services };
}

function requirePrefix(option: string, { text, prefix }: Cidr, shortest: number, longest: number): void {
    if (prefix < shortest || prefix > longest) throw invalid(option, `between /${shortest} and /${longest}`, text);
}

/** Pod blocks in the form that Kubernetes expects: IPv4 first. */
export function podCidrs({ podCidr, podCidr6 }: Network): string {
    return list(podCidr, podCidr6);
}

/** Service blocks, in the same form. */
export function serviceCidrs({ serviceCidr, serviceCidr6 }: Network): string {
    return list(serviceCidr, serviceCidr6);
}

function list(...blocks: (Cidr | undefined)[]): string {
    return blocks.flatMap((block) => block?.text ?? []).join(",");
}
