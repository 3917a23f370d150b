/**
 * Available Kubernetes releases, newest first. Only requested ones are fetched or built. 1.34 is a start for upgrades: its
 * project no longer fixes it.
 */
export const KUBERNETES_VERSIONS = ["1.37.2", "1.37.1", "1.36.3", "1.36.2", "1.35.4", "1.34.4"] as const;

export type KubernetesVersion = (typeof KUBERNETES_VERSIONS)[number];

const minorOf = (version: string) => version.slice(0, version.lastIndexOf("."));

/** The newest patch of each minor version. Older patches are the starting point of patch upgrades. */
export const NEWEST_PATCHES: readonly KubernetesVersion[] = KUBERNETES_VERSIONS.filter(
    (version, index, all) => all.findIndex((each) => minorOf(each) === minorOf(version)) === index,
);

/** Available etcd releases, newest first. */
export const ETCD_VERSIONS = ["3.7.3", "3.6.16", "3.6.8"] as const;

export type EtcdVersion = (typeof ETCD_VERSIONS)[number];

/** Available containerd releases, newest first; the second one is only for tests of its upgrade. */
export const CONTAINERD_VERSIONS = ["2.4.2", "2.3.7"] as const;

export type ContainerdVersion = (typeof CONTAINERD_VERSIONS)[number];

/** The single source of every version. */
export const versions = {
    /** The newest one whose kubelets have known checksums, which clouds need. */
    kubernetes: "1.37.1" as KubernetesVersion,
    etcd: "3.6.8" as EtcdVersion,
    containerd: "2.4.2" as ContainerdVersion,
    runc: "1.4.3",
    coredns: "1.14.7",
    flannel: "0.26.7",
    kubeRouter: "2.1.0",
    metricsServer: "0.9.0",
    /** The newest version whose modules are all available. */
    logCollector: "0.148.0",
    prometheus: "3.16.0",
    cniPlugins: "1.9.1",
    flannelCniPlugin: "0.9.1",
    ignition: "2.24.0",
    pulumi: "3.245.0",
    pause: "3.10.2",
    /** For local clusters only. The newest version available as a Go module. */
    localPathProvisioner: "0.0.30",
    /** For tests only. */
    versitygw: "1.8.0",
    pulumiYaml: "1.32.0",
    kwok: "0.8.0",
    kubeBench: "0.12.0",
    butane: "0.25.1",
    awsCloudController: "1.36.0",
    ecrCredentialProvider: "1.36.1",
    /** 1.33.0 plus later commits: releases have no version as a Go module. */
    clusterAutoscaler: "0.0.0-20250613073258-1959f5f61f6c",
    awsCsiDriver: "1.63.1",
    csiProvisioner: "6.3.0",
    csiAttacher: "4.12.0",
    csiResizer: "2.2.0",
    csiSnapshotter: "8.4.0",
    csiSpecification: "1.12.0",
    node: "22.23.3",
    /** The version of this Debian: newer point releases keep it. HAProxy supports 3.0 until 2029. */
    haproxy: "3.0.11",
    haproxyDebian: "trixie",
    /** The version of the machines' Debian. */
    busybox: "1.35.0",
    debian: "bookworm",
} as const;

const defaultMinor = NEWEST_PATCHES.findIndex((version) => minorOf(version) === minorOf(versions.kubernetes));

/** The newest patch of the minor version before the default one: tests and benchmarks upgrade from it. */
export const PREVIOUS_MINOR: KubernetesVersion = NEWEST_PATCHES[defaultMinor + 1]!;

/** What every run of the tests builds; long tests build others on request. */
export const VERSIONS_OF_EVERY_RUN: readonly KubernetesVersion[] = [versions.kubernetes, PREVIOUS_MINOR];
