import { type KubernetesVersion, versions } from "../../versions";
import { kubernetesUrl } from "../../versions/urls";
import type { Part } from "../part";

const KUBERNETES_BINARIES = [
    "kubelet",
    "kubectl",
    "kubeadm",
    "kube-apiserver",
    "kube-controller-manager",
    "kube-scheduler",
    "kube-proxy",
] as const;

/** By release: the newest patch of a minor version uses the folder of the minor version. */
const FOLDERS: Readonly<Record<KubernetesVersion, string>> = {
    "1.37.2": "kubernetes-1.37",
    "1.37.1": "kubernetes-1.37.1",
    "1.36.3": "kubernetes-1.36",
    "1.36.2": "kubernetes-1.36.2",
    "1.35.4": "kubernetes-1.35",
    "1.34.4": "kubernetes-1.34.4",
};

/** The parts of a Kubernetes release: one binary each, from one module. */
export function kubernetes(version: KubernetesVersion): Part {
    const [major, minor] = version.split(".");
    const stamps = ["k8s.io/component-base/version", "k8s.io/client-go/pkg/version"].flatMap((pkg) =>
        [
            ["gitVersion", `v${version}`],
            ["gitMajor", major],
            ["gitMinor", minor],
            ["gitTreeState", "clean"],
        ].map(([name, value]) => `-X ${pkg}.${name}=${value}`),
    );
    return {
        name: "kubernetes",
        version,
        licence: "Apache-2.0",
        homepage: "https://github.com/kubernetes/kubernetes",
        go: {
            folder: FOLDERS[version],
            module: `k8s.io/kubernetes@v${version}`,
            binaries: Object.fromEntries(KUBERNETES_BINARIES.map((name) => [name, `k8s.io/kubernetes/cmd/${name}`])),
            ldflags: stamps,
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
