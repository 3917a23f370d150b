export type {
    CloudDownloads,
    CloudMachineDownloads,
    ContainerdDownload,
    ContainerRuntimeDownloads,
    KubeletDownload,
    RuncDownload,
} from "./cluster/cloud-downloads";
export type { ContainerRuntime, Download, NodeDownloads } from "./cluster/downloads";
export type { IngressHealthCheck, IngressOptions } from "./cluster/network/ingress";
export type {
    CertificateOptions,
    ClusterOptions,
    ComponentFileOptions,
    ComponentOptions,
    ControllerOptions,
    ControlPlaneFileOptions,
    ControlPlaneSecretFiles,
    EtcdS3Options,
    EtcdSnapshotOptions,
    EtcdSnapshotSecrets,
    GivenCa,
    GivenFingerprints,
    GivenKeys,
    KeyOptions,
    LogHeaders,
    LogOptions,
    NetworkOptions,
    WorkerPoolOptions,
} from "./cluster/options";
export { AwsCluster, type AwsClusterArgs } from "./components/aws/cluster";
export type { AwsDownloads, AwsMachineDownloads } from "./components/aws/downloads";
export type {
    AwsControllerOptions,
    AwsInstanceOptions,
    AwsOptions,
    AwsPoolOptions,
    AwsRefreshOptions,
    AwsSpotOptions,
} from "./components/aws/options";
export { DigitalOceanCluster, type DigitalOceanClusterArgs } from "./components/digitalocean/cluster";
export type {
    DigitalOceanControllerOptions,
    DigitalOceanOptions,
    DigitalOceanPoolOptions,
    DigitalOceanSpaceOptions,
    DigitalOceanTokens,
} from "./components/digitalocean/options";
export { LocalCluster, type LocalClusterArgs } from "./components/local/cluster";
export type { LocalOptions } from "./components/local/options";
