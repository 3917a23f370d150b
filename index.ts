export type {
    ClusterOptions,
    ComponentOptions,
    ControllerOptions,
    EtcdS3Options,
    EtcdSnapshotOptions,
    EtcdSnapshotSecrets,
    NetworkOptions,
    WorkerPoolOptions,
} from "./components/cluster/options";
export { LocalCluster, type LocalClusterArgs } from "./components/local/cluster";
export type { Download, NodeDownloads } from "./components/nodes/downloads";
