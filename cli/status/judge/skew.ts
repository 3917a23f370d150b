import { minor } from "semver";
import { ifKnown } from "../fact";
import type { ClusterFacts, PodFacts } from "../facts";
import { critical, type Finding, warning } from "../finding";

/** Minor versions that a part may be behind the oldest and the newest apiserver. Source: Kubernetes' version skew policy. */
const behind: Readonly<Record<string, number>> = {
    kubelet: 3,
    "kube-proxy": 3,
    "kube-controller-manager": 1,
    "kube-scheduler": 1,
};

/** Whether the versions of the parts may work together. Nothing is said of a part whose version is not known. */
export function judgeSkew(facts: ClusterFacts): Finding[] {
    const pods = ifKnown(facts.pods) ?? [];
    const apiservers = apiserverVersions(facts, pods);
    if (apiservers.length === 0) {
        return [];
    }
    const parts = [
        ...(ifKnown(facts.nodes) ?? []).map(({ name, kubelet }) => ({ part: "kubelet", node: name, version: kubelet })),
        ...pods.flatMap(({ component = "", node = "", version, isEnding }) =>
            version && !isEnding && component in behind ? [{ part: component, node, version }] : [],
        ),
    ];
    return [
        ...between(apiservers),
        ...parts.flatMap(({ part, node, version }) =>
            judgePart(`${part} of ${node}`, version, apiservers, behind[part]!),
        ),
        ...besideKubelet(facts, pods),
    ];
}

/** What each says of itself; where it cannot be asked, what its image says. */
export function apiserverVersions(
    { controllers }: Pick<ClusterFacts, "controllers">,
    pods: readonly PodFacts[],
): string[] {
    const said = controllers.flatMap(({ version }) => ifKnown(version) ?? []);
    const images = pods
        .filter(({ component, isEnding }) => component === "kube-apiserver" && !isEnding)
        .flatMap(({ version }) => version ?? []);
    return said.length > 0 ? said : images;
}

function between(apiservers: readonly string[]): Finding[] {
    const minors = apiservers.map((version) => minor(version));
    const versions = [...new Set(apiservers)].sort();
    if (Math.max(...minors) - Math.min(...minors) > 1) {
        return [
            critical(
                "version-skew",
                `The kube-apiservers are more than one minor version apart: ${versions.join(", ")}.`,
                "Bring the older ones up first.",
            ),
        ];
    }
    return versions.length > 1
        ? [
              warning(
                  "versions-differ",
                  `The kube-apiservers have different versions: ${versions.join(", ")}.`,
                  "During an upgrade that is as it should be; else pulumi up.",
              ),
          ]
        : [];
}

function judgePart(what: string, version: string, apiservers: readonly string[], most: number): Finding[] {
    const minors = apiservers.map((each) => minor(each));
    const [oldest, newest] = [Math.min(...minors), Math.max(...minors)];
    if (minor(version) > oldest) {
        return [
            critical(
                "version-skew",
                `The ${what} is ${version}, newer than the kube-apiserver, 1.${oldest}.`,
                "Kubernetes does not support that: upgrade the kube-apiserver, or take the other back.",
            ),
        ];
    }
    return newest - minor(version) > most
        ? [
              critical(
                  "version-skew",
                  `The ${what} is ${version}, more than ${most} minor ${most === 1 ? "version" : "versions"} behind the kube-apiserver, 1.${newest}.`,
                  "Kubernetes does not support that: upgrade it.",
              ),
          ]
        : [];
}

function besideKubelet({ nodes }: ClusterFacts, pods: readonly PodFacts[]): Finding[] {
    const kubelets = new Map((ifKnown(nodes) ?? []).map(({ name, kubelet }) => [name, kubelet]));
    return pods.flatMap(({ component, node = "", version, isEnding }) => {
        const kubelet = kubelets.get(node);
        const isApart =
            component === "kube-proxy" &&
            version &&
            kubelet &&
            !isEnding &&
            Math.abs(minor(version) - minor(kubelet)) > 3;
        return isApart
            ? [
                  critical(
                      "version-skew",
                      `The kube-proxy of ${node} is ${version}, more than 3 minor versions from its kubelet, ${kubelet}.`,
                  ),
              ]
            : [];
    });
}
