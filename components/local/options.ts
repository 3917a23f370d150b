import type { NodeDownloads } from "../../cluster/downloads";
import type { CommonOptions, ControllerOptions, KeyOptions, WorkerPoolOptions } from "../../cluster/options";

/** Options of a cluster of local machines: plain data, known at preview. */
export interface LocalOptions extends CommonOptions {
    /** DNS zone of all clusters. This cluster uses `<name>.<domain>`. @default "tradewind.internal" */
    domain?: string;
    controllers?: ControllerOptions;
    /** Worker pools. @default no workers */
    workerPools?: WorkerPoolOptions[];
    keys?: KeyOptions;
    /** IPv4 block of the machines' own network: a /24 or larger that nothing else on your machine uses. */
    machineCidr: string;
    /** How the machines' OS is configured: `ignition` or `cloud-init`. @default "ignition" */
    os?: string;
    /** Operating system that the machines imitate: `ubuntu`. @default none: a minimal Debian */
    osLike?: string;
    /** Where machines download the kubelet, CNI plugins and images. */
    downloads: NodeDownloads;
}
