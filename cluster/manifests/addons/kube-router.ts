import type { Manifest } from "../../manifest";
import type { Cluster } from "../../model";
import { serviceCidrs } from "../../network/network";
import { nodePorts, ports } from "../../network/ports";
import { type Container, confined, fieldEnv, lastWords } from "../pod";
import { account, serviceAccount } from "../rbac";
import { nodeConfig, nodeDaemonSet } from "./kube-proxy";

const name = "kube-router";
const toolsPath = "/opt/packet-filter";

/** Pattern of the names of its chains. */
const itsChains = "KUBE-(ROUTER|POD-FW|NWPLCY)-";

/** The same with the chains of the restore script. */
const chains = "KUBE-(ROUTER|POD-FW|NWPLCY|NWPOUT)-";

/** NetworkPolicies: kube-router's firewall writes their rules on every node. `cleared` removes them. */
export function kubeRouter(cluster: Cluster): Manifest[] {
    const { networkPolicies } = cluster.network;
    if (networkPolicies === "ignored") return [];
    const { configMap, volume } = nodeConfig(name, { ...tools, ...(cluster.network.podCidr6 && { ipset: ownSets }) });
    const isEnforced = networkPolicies === "enforced";
    const spec = isEnforced ? firewall(cluster) : cleared(cluster);
    return [
        ...(isEnforced ? serviceAccount(name, rules) : [account(name)]),
        configMap,
        nodeDaemonSet(name, {
            serviceAccountName: name,
            ...(!isEnforced && { automountServiceAccountToken: false }),
            ...spec,
            volumes: [{ ...volume, configMap: { ...volume.configMap, defaultMode: 0o555 } }],
        }),
    ];
}

const read = ["list", "watch"];

// Source: kube-router's informers, and that it gets its own Node. It starts all of them, whatever it runs.
const rules = [
    { apiGroups: [""], resources: ["nodes"], verbs: ["get", ...read] },
    { apiGroups: [""], resources: ["endpoints", "namespaces", "pods", "services"], verbs: read },
    { apiGroups: ["discovery.k8s.io"], resources: ["endpointslices"], verbs: read },
    { apiGroups: ["networking.k8s.io"], resources: ["networkpolicies"], verbs: read },
];

function firewall(cluster: Cluster): { initContainers: Container[]; containers: Container[] } {
    const { network, apiName, extraArgs } = cluster;
    const range = extraArgs.kubeApiserver["service-node-port-range"] ?? nodePorts.join("-");
    const probe = { httpGet: { host: "127.0.0.1", port: ports.kubeRouter, path: "/healthz" }, timeoutSeconds: 5 };
    return {
        initContainers: [tool(cluster, "block-link-local")],
        containers: [
            {
                ...container(cluster, name, [
                    `/usr/local/bin/${name}`,
                    ...["--run-firewall=true", "--run-router=false", "--run-service-proxy=false"],
                    ...["--enable-cni=false", "--disable-source-dest-check=false"],
                    `--enable-ipv6=${network.podCidr6 !== undefined}`,
                    `--service-cluster-ip-range=${serviceCidrs(network)}`,
                    `--service-node-port-range=${range}`,
                    // Its health port would listen on every address, also with profiles of the process. The port of
                    // metrics serves the same.
                    "--health-port=0",
                    ...["--metrics-addr=127.0.0.1", `--metrics-port=${ports.kubeRouter}`],
                ]),
                env: [
                    path,
                    fieldEnv("NODE_NAME", "spec.nodeName"),
                    // Policies apply before Services work.
                    { name: "KUBERNETES_SERVICE_HOST", value: apiName },
                    { name: "KUBERNETES_SERVICE_PORT", value: String(ports.kubeApiserver) },
                ],
                resources: { requests: { cpu: "20m", memory: "48Mi" } },
                // It exits by itself if the API does not answer for a minute.
                livenessProbe: { ...probe, periodSeconds: 10, failureThreshold: 9 },
                readinessProbe: { ...probe, periodSeconds: 2 },
            },
        ],
    };
}

/** Removes the rules, then only waits, so that the DaemonSet is ready once every node is clear. */
function cleared(cluster: Cluster): { initContainers: Container[]; containers: Container[] } {
    const wait = ["/bin/sh", "-c", "trap exit TERM; while :; do sleep 3600 & wait; done"];
    return {
        initContainers: [tool(cluster, "clear")],
        containers: [
            {
                name: "cleared",
                image: cluster.images.kubeRouter,
                ...lastWords,
                command: wait,
                resources: { requests: { cpu: "1m", memory: "4Mi" } },
                securityContext: confined,
            },
        ],
    };
}

const path = { name: "PATH", value: `${toolsPath}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin` };

function tool(cluster: Cluster, script: string): Container {
    return { ...container(cluster, script, [`${toolsPath}/${script}`]), env: [path] };
}

/** A container that changes the packet filter: netlink requires NET_ADMIN, and ipset's sockets NET_RAW. */
function container({ images }: Cluster, name: string, command: string[]): Container {
    return {
        name,
        image: images.kubeRouter,
        ...lastWords,
        command,
        securityContext: {
            ...confined,
            runAsUser: 0,
            runAsGroup: 0,
            capabilities: { ...confined.capabilities, add: ["NET_ADMIN", "NET_RAW"] },
        },
        volumeMounts: [{ name: "config", mountPath: toolsPath, readOnly: true }],
    };
}

/** kube-router 2.1.0 creates sets of IPv6 addresses with a prefix, but its rules name them without it. */
const prefixSets = `        gsub(/--match-set KUBE-/, "--match-set inet6:KUBE-", rules[i])
`;

/**
 * The image's own iptables replaces itself at the first call with the variant that the node seems to use, for which its
 * root would have to be writable. nftables' variant works on every node: rules of the other one apply, too.
 */
const variants = Object.fromEntries(
    ["iptables", "ip6tables"].flatMap((family) => [
        [family, `#!/bin/sh\nexec ${family}-nft "$@"\n`],
        [`${family}-save`, `#!/bin/sh\nexec ${family}-nft-save "$@"\n`],
        [`${family}-restore`, restoreOwn(family)],
    ]),
);

/**
 * kube-router saves the whole table, changes its own chains and restores the table, which would undo what kube-proxy or
 * another program wrote in between. So only its own chains are restored, in one transaction.
 *
 * It runs a pod's traffic in both directions through one chain per policy that restricts both, such as one that denies
 * ingress and allows egress, whose pods could thus reach each other. So the rules for egress get a chain of their own.
 * Such a rule matches the set of the policy's pods as the source, of which there is one as the destination, too.
 */
function restoreOwn(family: string): string {
    return `#!/bin/sh
# Restores kube-router's chains out of a whole table, and deletes those of them that the table lacks. The rules for egress
# of a policy that restricts both directions move to a chain KUBE-NWPOUT.
{ ipset list -n; ${family}-nft-save -t filter; echo '# new'; cat; } | awk '
/^(inet6:)?KUBE-DST-/ { both[substr($1, length($1) - 15)] }
/^# new$/ { isNew = 1 }
!isNew && /^:${chains}/ { old[$1] }
isNew && /^:${itsChains}/ { kept[$1]; print $1, "- [0:0]" }
isNew && /^-[AI] ${itsChains}/ { rules[++count] = $0 }
isNew && / --src-type LOCAL -d / { address[$2] = $(NF - 2) }
isNew && /^-I KUBE-POD-FW-[^ ]+ 1 -m comment --comment "[^"]*" -j KUBE-NWPLCY-/ {
    jumps[count]
    out[$NF] = $NF
    sub(/NWPLCY/, "NWPOUT", out[$NF])
}
BEGIN { print "*filter" }
END {
    for (chain in out) {
        kept[":" out[chain]]
        print ":" out[chain], "- [0:0]"
    }
    for (chain in old) if (!(chain in kept)) print chain, "- [0:0]"
    for (i = 1; i <= count; i++) {
        split(rules[i], word)
        source = match(rules[i], /KUBE-SRC-[^ ]+ src/) ? substr(rules[i], RSTART + 9, 16) : ""
${family === "ip6tables" ? prefixSets : ""}        if (word[2] in out && source in both) sub(word[2], out[word[2]], rules[i])
        if (i in jumps) {
            ingress = egress = rules[i]
            sub(/ -j /, " -d " address[word[2]] "&", ingress)
            sub(/ -j KUBE-NWPLCY-/, " -s " address[word[2]] " -j KUBE-NWPOUT-", egress)
            rules[i] = ingress "\\n" egress
        }
        print rules[i]
    }
    for (chain in old) if (!(chain in kept)) print "-X", substr(chain, 2)
    print "COMMIT"
}' | ${family}-nft-restore --noflush "$@"
`;
}

/**
 * With both IP families, kube-router 2.1.0 saves all sets once per family, and each time restores them all, whereby those
 * of the other family become what they were before. It writes all it needs in each sync, and only deletes sets that it
 * finds by saving, and only those of IPv4.
 */
const ownSets = `#!/bin/sh
# Hides sets of NetworkPolicies from kube-router when it saves them, and deletes those that no rule uses.
PATH=\${PATH#*:}
[ "$1" = save ] || exec ipset "$@"
for set in $(ipset list -n); do
    case $set in
    KUBE-SRC-* | KUBE-DST-* | inet6:KUBE-SRC-* | inet6:KUBE-DST-*) ipset destroy "$set" 2>/dev/null || : ;;
    esac
done
`;

// The links of pods all have such an address, also without IPv6: kube-router has no rules for them. Neighbour discovery
// needs them.
const linkLocal = "PREROUTING -i cni0 -d fe80::/10 ! -p icmpv6 -j DROP";

const tools = {
    ...variants,
    "block-link-local": `#!/bin/sh
# Drops packets that pods send to link-local addresses, to which no policy would apply.
set -eu
ip6tables-nft -t raw -C ${linkLocal} 2>/dev/null || ip6tables-nft -t raw -A ${linkLocal}
`,
    clear: `#!/bin/sh
# Removes all rules and sets of NetworkPolicies from this node, the rules at once.
set -eu
for family in iptables ip6tables; do
    $family-nft-save -t filter | awk '
    /^:${chains}/ { chains[substr($1, 2)]; print $1, "- [0:0]" }
    /^-A (INPUT|FORWARD|OUTPUT) .*-j KUBE-ROUTER-/ { sub(/^-A/, "-D"); print }
    BEGIN { print "*filter" }
    END { for (chain in chains) print "-X", chain; print "COMMIT" }' | $family-nft-restore --noflush
done
for set in $(ipset list -n); do
    case $set in
    KUBE-SRC-* | KUBE-DST-* | inet6:KUBE-SRC-* | inet6:KUBE-DST-*)
        # The kernel releases the sets of removed rules a moment later.
        until ipset destroy "$set"; do sleep 1; done
        ;;
    esac
done
while ip6tables-nft -t raw -C ${linkLocal} 2>/dev/null; do
    ip6tables-nft -t raw -D ${linkLocal}
done
`,
};
