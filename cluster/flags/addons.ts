import {
    checked,
    ending,
    type FlaggedCluster,
    type FlagRules,
    featureGates,
    free,
    isOff,
    owned,
    staysOff,
} from "./rule";

const endsInstead = "the program would do that and exit";
const findsApi = "the stack sets how it reaches the API before Services work";

export const kubeProxy: FlagRules = {
    ...ending,
    ...owned(endsInstead, ["cleanup", "init-only", "write-config-to"]),
    ...owned("the program would ignore all other flags", ["config"]),
    ...owned(findsApi, ["kubeconfig", "master"]),
    ...owned("it belongs to its own node", ["bind-address", "hostname-override"]),
    ...owned("it cannot be changed after creation", ["cluster-cidr"], "`podCidr` and `podCidr6`"),
    ...owned("the pod network depends on it", ["proxy-mode"], "`kubeProxyMode`"),
    ...owned("load balancers check nodes there", ["healthz-bind-address"]),
    ...owned("metrics are served with authentication", ["metrics-bind-address"], "`metrics`"),
    "iptables-localhost-nodeports": checked(
        "kube-router accepts packets to loopback addresses before kube-proxy would drop them",
        (value, { network }) =>
            closesLocalhost(network) && !isOff(value) ? "false while networkPolicies are enforced" : undefined,
    ),
    "feature-gates": featureGates,
    profiling: checked("anything on the node could read its memory", staysOff),
};

/** Whether node ports must not be reachable at the node's loopback addresses. */
export function closesLocalhost({ kubeProxyMode, networkPolicies }: FlaggedCluster["network"]): boolean {
    return kubeProxyMode === "iptables" && networkPolicies === "enforced";
}

export const flannel: FlagRules = {
    ...owned("the program would print it and exit", ["version"]),
    ...owned("it stores subnets in the Kubernetes API", [
        "etcd-*",
        "kube-subnet-mgr",
        "kube-annotation-prefix",
        "subnet-lease-renew-margin",
    ]),
    ...owned(findsApi, ["kube-api-url", "kubeconfig-file"]),
    ...owned("the CNI plugin and the network depend on it", ["net-config-path", "subnet-file"]),
    ...owned("nodes reach each other by their internal addresses", ["iface*", "public-ip*"]),
    ...owned("pods could not reach other networks", ["ip-masq"]),
    ...free("30 seconds", ["iptables-resync"]),
};

export const kubeRouter: FlagRules = {
    ...ending,
    ...owned(endsInstead, ["cleanup-config"]),
    ...owned("what it runs depends on other options", ["run-*", "enable-cni"], "`cni` and `networkPolicies`"),
    ...owned(findsApi, ["kubeconfig", "master"]),
    ...owned("it belongs to its own node", ["hostname-override"]),
    ...owned("it follows from the addresses of pods", ["enable-ipv4", "enable-ipv6"], "`podCidr6`"),
    ...owned("it must be that of the cluster", ["service-cluster-ip-range"], "`serviceCidr` and `serviceCidr6`"),
    ...owned(
        "it must be that of kube-apiserver",
        ["service-node-port-range"],
        "`components.kubeApiserver.service-node-port-range`",
    ),
    ...owned("routes between nodes are tunnels", [
        "auto-mtu",
        "disable-source-dest-check",
        "enable-overlay",
        "overlay-*",
    ]),
    ...owned("its port is open to nodes of the cluster only", ["bgp-port"]),
    ...owned("its health is served with its metrics, on the node's loopback address", [
        "health-port",
        "metrics-addr",
        "metrics-path",
        "metrics-port",
    ]),
    ...owned("previews and the cluster would show it", ["peer-router-passwords", "peer-router-passwords-file"]),
    "enable-pprof": checked("anything on the node could read its memory", staysOff),
    ...free("routes stay while it restarts", ["bgp-graceful-restart", "bgp-graceful-restart-deferral-time"]),
};

/** Everything else is in its configuration file. */
export const coredns: FlagRules = {
    ...owned("the program would print it and exit", ["plugins", "version"]),
    ...owned("the stack writes the file", ["conf"], "`dns.serverBlocks`"),
    ...owned("the Service expects the default", ["p"]),
    ...owned("its root file system is read-only", ["pidfile"]),
};
