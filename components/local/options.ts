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
    /**
     * Operating system that the machines imitate: `ubuntu`, `flatcar`, `fedora-coreos` or `virtual-machine`. Flatcar and
     * Fedora CoreOS take Ignition only, a virtual machine cloud-init only.
     * @default none: a minimal Debian @see docs/configuration.md#operating-systems
     */
    osLike?: string;
    /**
     * Zones of the machines, by turns: labels `topology.kubernetes.io/zone` of their nodes, unless `labels` has another.
     * `[]` for none. A machine keeps the zone that it was created with.
     * @default ["local-a", "local-b", "local-c"]
     */
    zones?: string[];
    /**
     * Whether the cluster has a default storage class, `local`, whose volumes are folders of machines.
     * @default true
     */
    storageClass?: boolean;
    /** Where machines download the kubelet, CNI plugins and images. */
    downloads: NodeDownloads;
}
