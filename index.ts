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
export type { IngressHealthCheck, IngressOptions } from "./components/cluster/ingress";
export type {
    CertificateOptions,
    ClusterOptions,
    ComponentOptions,
    ControllerOptions,
    EtcdS3Options,
    EtcdSnapshotOptions,
    EtcdSnapshotSecrets,
    KeyOptions,
    NetworkOptions,
    WorkerPoolOptions,
} from "./components/cluster/options";
export { DigitalOceanCluster, type DigitalOceanClusterArgs } from "./components/digitalocean/cluster";
export type {
    DigitalOceanControllerOptions,
    DigitalOceanOptions,
    DigitalOceanPoolOptions,
    DigitalOceanSpaceOptions,
} from "./components/digitalocean/options";
export type { DigitalOceanTokens } from "./components/digitalocean/tokens";
export { LocalCluster, type LocalClusterArgs } from "./components/local/cluster";
export type { ContainerRuntime, Download, NodeDownloads } from "./components/nodes/downloads";
