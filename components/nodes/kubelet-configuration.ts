import { hasFirstAuthority } from "../cluster/kubernetes-authority";
import type { Cluster } from "../cluster/model";
import { ports } from "../cluster/ports";
import { paths } from "./paths";
import { shutdownPhases } from "./shutdown-phases";
import { taintsOf } from "./taints";

/** KubeletConfiguration of a pool's nodes on a standard host; drop-ins on the host adapt it to unusual ones. */
export function kubeletConfiguration(cluster: Cluster, pool: string): object {
    const { network, certificates, keys } = cluster;
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
        registerWithTaints: taintsOf(cluster, pool),
        rotateCertificates: true,
        ...(certificates.kubeletServing !== "own" && { serverTLSBootstrap: true }),
        serializeImagePulls: false,
        maxParallelImagePulls: 5,
        shutdownGracePeriodByPodPriority: shutdownPhases(cluster, pool),
        staticPodPath: paths.staticPods,
        // How soon a changed static pod manifest is seen when the file watch misses it.
        fileCheckFrequency: "5s",
    };
}
