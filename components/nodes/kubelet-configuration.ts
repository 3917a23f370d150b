import { hasFirstAuthority } from "../cluster/kubernetes-authority";
import type { Cluster, Taint } from "../cluster/model";
import { ports } from "../cluster/ports";
import { priorities } from "../cluster/priorities";
import { paths } from "./paths";

/** KubeletConfiguration of a standard host; drop-ins on the host adapt it to unusual ones. */
export function kubeletConfiguration({ network, certificates, keys }: Cluster, taints: readonly Taint[]): object {
    const clientCAFile = hasFirstAuthority(keys) ? paths.ca : paths.kubeletAuthorities;
    return {
        apiVersion: "kubelet.config.k8s.io/v1beta1",
        kind: "KubeletConfiguration",
        authentication: { anonymous: { enabled: false }, webhook: { enabled: true }, x509: { clientCAFile } },
        authorization: { mode: "Webhook" },
        cgroupDriver: "systemd",
        clusterDNS: [network.dnsServiceAddress],
        clusterDomain: network.clusterDomain,
        containerRuntimeEndpoint: `unix://${paths.runtimeSocket}`,
        healthzBindAddress: "127.0.0.1",
        healthzPort: ports.kubeletHealthz,
        protectKernelDefaults: false,
        readOnlyPort: 0,
        registerWithTaints: taints,
        rotateCertificates: true,
        ...(certificates.kubeletServing !== "own" && { serverTLSBootstrap: true }),
        serializeImagePulls: false,
        maxParallelImagePulls: 5,
        // One after the other, each as soon as the one before is done: an apiserver cannot drain without its etcd.
        shutdownGracePeriodByPodPriority: [
            { priority: 0, shutdownGracePeriodSeconds: 30 },
            { priority: priorities.control.value, shutdownGracePeriodSeconds: 15 },
            { priority: priorities.node.value, shutdownGracePeriodSeconds: 5 },
        ],
        staticPodPath: paths.staticPods,
        // How soon a changed static pod manifest is seen when the file watch misses it.
        fileCheckFrequency: "5s",
    };
}
