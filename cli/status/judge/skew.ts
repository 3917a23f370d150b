import { minor as minorOf, valid } from "semver";
import { kubeletsBehind } from "../../../cluster/upgrades/checks";
import { type ClusterFacts, critical, type Finding, ifKnown, type PodFacts, warning } from "../facts";

const continued = "pulumi up continues an upgrade.";

/** Minor versions that a component may be behind the oldest and newest apiserver. Source: Kubernetes' version skew policy. */
const behind: Readonly<Record<string, number>> = {
    kubelet: kubeletsBehind,
    "kube-proxy": 3,
    "kube-controller-manager": 1,
    "kube-scheduler": 1,
};

/** All instances of a component with the same version. */
interface Part {
    readonly kind: string;
    readonly version: string;
    readonly nodes: readonly string[];
}

/** Checks version skew. Components of unknown version are skipped. */
export function judgeSkew(facts: ClusterFacts): Finding[] {
    const pods = (ifKnown(facts.pods) ?? []).filter(({ isEnding }) => !isEnding);
    const apiservers = apiserverVersions(facts, pods);
    if (apiservers.length === 0) {
        return [];
    }
    const parts = [
        ...(ifKnown(facts.nodes) ?? []).map(({ name, kubelet }) => ({ kind: "kubelet", node: name, version: kubelet })),
        ...pods.flatMap(({ component: kind = "", node = "", version }) =>
            version && kind in behind ? [{ kind, node, version }] : [],
        ),
        ...unlisted(facts).flatMap(({ name, version }) =>
            version && name in behind ? [{ kind: name, node: "all nodes", version }] : [],
        ),
    ];
    return [
        ...between(apiservers),
        ...byVersion(parts).flatMap((part) => judgePart(part, apiservers)),
        ...nextToKubelet(facts, [...pods, ...unlistedPods(facts)]),
    ];
}

/** A node may report any text as its version: not a number if it is none, which is neither newer nor older. */
function minor(version: string): number {
    return valid(version) === null ? Number.NaN : minorOf(version);
}

function byVersion(
    parts: readonly { readonly kind: string; readonly version: string; readonly node: string }[],
): Part[] {
    const groups = new Map<string, Part>();
    for (const { kind, version, node } of parts) {
        const nodes = groups.get(`${kind} ${version}`)?.nodes ?? [];
        groups.set(`${kind} ${version}`, { kind, version, nodes: [...nodes, node] });
    }
    return [...groups.values()];
}

/** Versions reported by the apiservers, or their image versions if they cannot be queried. */
export function apiserverVersions(
    { controllers }: Pick<ClusterFacts, "controllers">,
    pods: readonly PodFacts[],
): string[] {
    const said = controllers.flatMap(({ version }) => ifKnown(version) ?? []);
    const images = pods
        .filter(({ component }) => component === "kube-apiserver")
        .flatMap(({ version }) => version ?? []);
    return (said.length > 0 ? said : images).filter((version) => valid(version) !== null);
}

function between(apiservers: readonly string[]): Finding[] {
    const minors = apiservers.map((version) => minor(version));
    const versions = [...new Set(apiservers)].sort();
    if (Math.max(...minors) - Math.min(...minors) > 1) {
        return [
            critical(
                "version-skew",
                `The kube-apiservers are more than one minor version apart: ${versions.join(", ")}.`,
                `Upgrade the older ones first: ${continued}`,
            ),
        ];
    }
    return versions.length > 1
        ? [
              warning(
                  "versions-differ",
                  `The kube-apiservers have different versions: ${versions.join(", ")}.`,
                  "This is normal during an upgrade; otherwise run pulumi up.",
              ),
          ]
        : [];
}

function judgePart({ kind, version, nodes }: Part, apiservers: readonly string[]): Finding[] {
    const minors = apiservers.map((each) => minor(each));
    const [oldest, newest] = [Math.min(...minors), Math.max(...minors)];
    const what = `The ${kind} of ${nodes.join(", ")} is ${version}`;
    const most = behind[kind]!;
    if (minor(version) > oldest) {
        return [
            critical(
                "version-skew",
                `${what}, newer than the kube-apiserver, 1.${oldest}.`,
                `Kubernetes does not support this: upgrade the kube-apiserver or downgrade the ${kind}. ${continued}`,
            ),
        ];
    }
    const versions = most === 1 ? "minor version" : "minor versions";
    return newest - minor(version) > most
        ? [
              critical(
                  "version-skew",
                  `${what}, more than ${most} ${versions} behind the kube-apiserver, 1.${newest}.`,
                  `Kubernetes does not support this: upgrade the ${kind}. ${continued}`,
              ),
          ]
        : [];
}

function unlisted({ workloads }: ClusterFacts) {
    return (ifKnown(workloads) ?? []).filter(({ isUnlisted }) => isUnlisted);
}

/** What is known of the unlisted pods on each node. */
function unlistedPods(facts: ClusterFacts): Pick<PodFacts, "component" | "node" | "version">[] {
    const nodes = ifKnown(facts.nodes) ?? [];
    return unlisted(facts).flatMap(({ name, version }) =>
        nodes.map((node) => ({ component: name, node: node.name, version })),
    );
}

function nextToKubelet(
    { nodes }: ClusterFacts,
    pods: readonly Pick<PodFacts, "component" | "node" | "version">[],
): Finding[] {
    const kubelets = new Map((ifKnown(nodes) ?? []).map(({ name, kubelet }) => [name, kubelet]));
    return pods.flatMap(({ component, node = "", version }) => {
        const kubelet = kubelets.get(node);
        if (component !== "kube-proxy" || !version || !kubelet || Math.abs(minor(version) - minor(kubelet)) <= 3) {
            return [];
        }
        const message = `The kube-proxy of ${node} is ${version}, more than 3 minor versions from its kubelet, ${kubelet}.`;
        return [
            critical("version-skew", message, `Kubernetes does not support this: upgrade the older one. ${continued}`),
        ];
    });
}
