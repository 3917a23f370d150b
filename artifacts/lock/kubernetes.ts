import { type KubernetesVersion, versions } from "../../versions";
import { kubernetesUrl } from "../../versions/urls";
import type { Part } from "../part";
import { versionFolder } from "./version-folder";

const KUBERNETES_BINARIES = [
    "kubelet",
    "kubectl",
    "kubeadm",
    "kube-apiserver",
    "kube-controller-manager",
    "kube-scheduler",
    "kube-proxy",
] as const;

/** How programs of a release know their version. Some end-to-end tests depend on the minor version alone. */
export function versionStamps(version: KubernetesVersion): readonly string[] {
    const [major, minor] = version.split(".");
    return ["k8s.io/component-base/version", "k8s.io/client-go/pkg/version"].flatMap((pkg) =>
        [
            ["gitVersion", `v${version}`],
            ["gitMajor", major],
            ["gitMinor", minor],
            ["gitTreeState", "clean"],
        ].map(([name, value]) => `-X ${pkg}.${name}=${value}`),
    );
}

/** The parts of a Kubernetes release: one binary each, from one module. */
export function kubernetes(version: KubernetesVersion): Part {
    return {
        name: "kubernetes",
        version,
        licence: "Apache-2.0",
        homepage: "https://github.com/kubernetes/kubernetes",
        go: {
            folder: versionFolder("kubernetes", version),
            module: `k8s.io/kubernetes@v${version}`,
            binaries: Object.fromEntries(KUBERNETES_BINARIES.map((name) => [name, `k8s.io/kubernetes/cmd/${name}`])),
            ldflags: versionStamps(version),
        },
        served: Object.fromEntries(
            ["kubelet", "kubectl", "kubeadm"].map((name) => [name, `kubernetes/v${version}/${name}`]),
        ),
        official: {
            kind: "binaries",
            url: kubernetesUrl(version),
            checksum: `${kubernetesUrl(version)}.sha256`,
        },
    };
}

/** The process that holds a pod's namespaces: one C file in Kubernetes' own source. */
export const pause = {
    name: "pause",
    version: versions.pause,
    licence: "Apache-2.0",
    homepage: "https://github.com/kubernetes/kubernetes",
    module: kubernetes(versions.kubernetes).go,
    file: "build/pause/linux/pause.c",
} as const;
