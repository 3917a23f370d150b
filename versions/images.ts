import { versions } from "./index";

/** The images of a cluster by their official names: pulled by clouds, served by a local cluster's mirror. */
export interface Images {
    readonly kubeApiserver: string;
    readonly kubeControllerManager: string;
    readonly kubeScheduler: string;
    readonly kubeProxy: string;
    readonly kubelet: string;
    readonly pause: string;
    readonly etcd: string;
    readonly coredns: string;
    readonly flannel: string;
    readonly flannelCniPlugin: string;
    readonly kubeRouter: string;
    readonly metricsServer: string;
    readonly logCollector: string;
    readonly prometheus: string;
    readonly node: string;
    readonly haproxy: string;
    readonly busybox: string;
    /** Of local clusters only. */
    readonly localPathProvisioner: string;
}

/** The image names of a cluster of the given Kubernetes and etcd versions. */
export function imagesFor(kubernetes: string, etcd: string = versions.etcd): Images {
    return {
        kubeApiserver: `registry.k8s.io/kube-apiserver:v${kubernetes}`,
        kubeControllerManager: `registry.k8s.io/kube-controller-manager:v${kubernetes}`,
        kubeScheduler: `registry.k8s.io/kube-scheduler:v${kubernetes}`,
        kubeProxy: `registry.k8s.io/kube-proxy:v${kubernetes}`,
        // Kubernetes publishes none. The one of Talos: the kubelet that Kubernetes publishes, on Debian.
        kubelet: `ghcr.io/siderolabs/kubelet:v${kubernetes}`,
        pause: `registry.k8s.io/pause:${versions.pause}`,
        etcd: `quay.io/coreos/etcd:v${etcd}`,
        coredns: `registry.k8s.io/coredns/coredns:v${versions.coredns}`,
        flannel: `ghcr.io/flannel-io/flannel:v${versions.flannel}`,
        // The tag in flannel's own manifest of this version.
        flannelCniPlugin: "ghcr.io/flannel-io/flannel-cni-plugin:v1.6.2-flannel1",
        kubeRouter: `docker.io/cloudnativelabs/kube-router:v${versions.kubeRouter}`,
        metricsServer: `registry.k8s.io/metrics-server/metrics-server:v${versions.metricsServer}`,
        logCollector: `docker.io/otel/opentelemetry-collector-contrib:${versions.logCollector}`,
        prometheus: `quay.io/prometheus/prometheus:v${versions.prometheus}`,
        node: `docker.io/library/node:${versions.node}-bookworm-slim`,
        // The Debian variant lacks `wget`, which the listener runs.
        haproxy: `docker.io/library/haproxy:${versions.haproxy}-alpine`,
        busybox: `docker.io/library/busybox:${versions.busybox}`,
        localPathProvisioner: `docker.io/rancher/local-path-provisioner:v${versions.localPathProvisioner}`,
    };
}

/** Options of a cluster that need images which others do not. */
export interface Uses {
    readonly metricsServer: boolean;
    /** The cluster sends its logs. */
    readonly logs: boolean;
    /** Prometheus runs. */
    readonly prometheus: boolean;
    /** Kubelets run as pods. */
    readonly kubeletPods: boolean;
}

/** The images that no node of a cluster with these options pulls. */
export function unusedImages({ metricsServer, logs, prometheus, kubeletPods }: Uses): (keyof Images)[] {
    return [
        ...(metricsServer ? [] : (["metricsServer"] as const)),
        ...(logs ? [] : (["logCollector"] as const)),
        ...(prometheus ? [] : (["prometheus"] as const)),
        ...(kubeletPods ? [] : (["kubelet"] as const)),
    ];
}

/** The images of a cluster of the default Kubernetes version. */
export const images: Images = imagesFor(versions.kubernetes);

/** The repository under which the mirror's registry stores an image: without the host, with Docker Hub's `library/`. */
export function mirrorPath(image: string): { repository: string; tag: string } {
    const [, repository, tag] = /^[^/]+\/(.+):([^:/]+)$/.exec(image) ?? [];
    if (!repository || !tag) {
        throw new Error(`image must be <registry>/<repository>:<tag> (got ${image})`);
    }
    return { repository, tag };
}
