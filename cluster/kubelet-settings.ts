import type { KubeletSettings } from "../agents/nodes/node-agent/kubelet/settings";
import { commandLine, withExtra } from "./flags/check";
import { neededGates } from "./flags/needed-gates";
import { hasFirstCa } from "./keys/kubernetes-ca";
import { controllerLabel, type Taint } from "./labels";
import { contentHash, priorities } from "./manifest";
import { type Cluster, otherPools } from "./model";
import { ports } from "./network/ports";
import { paths } from "./paths";

/** The kubeconfig that a kubelet uses. */
export function kubeletKubeconfig({ keys }: Pick<Cluster, "keys">): string {
    return hasFirstCa(keys) ? paths.kubeconfig : paths.changedKubeconfig;
}

/** Settings of a pool's kubelets: they boot with them, and node-agents update them. */
export function kubeletSettings(cluster: Cluster, pool: string): KubeletSettings {
    const configuration = `${JSON.stringify(kubeletConfiguration(cluster, pool), null, 2)}\n`;
    const generated: Record<string, string> = cluster.selfHosted.kubelet ? lockFlags : {};
    const own = commandLine(withExtra("kubelet", generated, cluster.extraArgs.kubelet));
    if (hasFirstCa(cluster.keys)) {
        return { id: contentHash({ configuration, flags: own }), configuration, flags: own };
    }
    const flags = [...commandLine(accessFlags), ...own];
    // Kubelets reload their CAs with each list.
    const { kubernetesCa } = cluster.keys;
    return { id: contentHash({ configuration, flags, kubernetesCa }), configuration, flags };
}

/** The host's kubelet exits when its pod opens the lock, and waits for the lock once systemd has restarted it. */
const lockFlags = { "lock-file": paths.kubeletLock, "exit-on-lock-contention": "true" };

/** Override the machine's own settings, in files that no agent sees. */
const accessFlags = {
    kubeconfig: paths.changedKubeconfig,
    "bootstrap-kubeconfig": paths.changedBootstrapKubeconfig,
};

/** KubeletConfiguration of a pool's nodes on a standard host; drop-ins on the host adapt it to unusual hosts. */
export function kubeletConfiguration(cluster: Cluster, pool: string): object {
    const { network, certificates, keys, versions } = cluster;
    const gates = neededGates(versions.kubernetes);
    const clientCAFile = hasFirstCa(keys) ? paths.ca : paths.kubeletAuthorities;
    return {
        apiVersion: "kubelet.config.k8s.io/v1beta1",
        kind: "KubeletConfiguration",
        authentication: { anonymous: { enabled: false }, webhook: { enabled: true }, x509: { clientCAFile } },
        authorization: { mode: "Webhook" },
        cgroupDriver: "systemd",
        clusterDNS: [network.dnsServiceAddress],
        clusterDomain: network.clusterDomain,
        ...(gates.length > 0 && { featureGates: Object.fromEntries(gates.map((gate) => [gate, true])) }),
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
        // How soon a changed static pod manifest is noticed if the file watch misses it.
        fileCheckFrequency: "5s",
        seccompDefault: true,
        podPidsLimit,
    };
}

/** Processes and threads of a pod. OpenShift has the same default. */
const podPidsLimit = 4096;

/** Pods from this priority up to the next phase's, and the seconds that they get to terminate. */
interface ShutdownPhase {
    readonly priority: number;
    readonly shutdownGracePeriodSeconds: number;
}

/**
 * How a kubelet terminates its pods when the machine shuts down: phase by phase, each as soon as the previous one is
 * done. Workloads are first; an apiserver cannot drain without its etcd.
 *
 * On a single controller, draining the apiserver is useless: clients have no other to switch to, and it only delays the
 * reboot. It gets one second to answer running requests; its etcd is stopped by the machine's shutdown.
 */
export function shutdownPhases(
    { controllers }: { controllers: Pick<Cluster["controllers"], "names"> },
    pool: string,
): readonly ShutdownPhase[] {
    const isOnlyController = pool === "controller" && controllers.names.length === 1;
    const [control, node] = isOnlyController ? [1, 0] : [15, 5];
    return [
        { priority: 0, shutdownGracePeriodSeconds: 30 },
        { priority: priorities.control.value, shutdownGracePeriodSeconds: control },
        { priority: priorities.node.value, shutdownGracePeriodSeconds: node },
    ];
}

/** Taints that the nodes of a pool register with; `controller` is a pool too. */
function taintsOf(cluster: Cluster, pool: string): readonly Taint[] {
    if (pool === "controller") {
        return cluster.controllers.schedulable ? [] : [{ key: controllerLabel, value: "", effect: "NoSchedule" }];
    }
    return otherPools(cluster).find(({ name }) => name === pool)?.taints ?? [];
}
