import type { NodeDownloads } from "../../cluster/downloads";
import type { IngressOptions } from "../../cluster/network/ingress";
import type { CommonOptions, ControllerOptions, KeyOptions, WorkerPoolOptions } from "../../cluster/options";

/** Options of a cluster on DigitalOcean: plain data, known in preview. */
export interface DigitalOceanOptions extends DigitalOceanSettings {
    keys?: KeyOptions;
    /** Where machines fetch the kubelet, CNI plugins and images. */
    downloads: NodeDownloads;
}

/** Those of them that Pulumi's schema has a form for: `plugin/index.ts` has the others in one of its own. */
export interface DigitalOceanSettings extends CommonOptions {
    /** DNS zone in which the cluster's names live: a domain that DigitalOcean's DNS serves for this account. */
    domain: string;
    /** Slug of the region: `fra1`. */
    region: string;
    /**
     * What droplets boot: an image's slug (`ubuntu-26-04-x64`) or a custom image's id. It must have containerd 2, or droplets fetch
     * that by `downloads.containerRuntime`.
     */
    image: string;
    /** How the image takes its configuration: `ignition` or `cloud-init`. @default "ignition" */
    os?: string;
    /**
     * The VPC's addresses: a private IPv4 block, /16 to /24, that no other VPC of the account has: choose one per
     * cluster.
     * @default "172.24.0.0/20"
     */
    vpcCidr?: string;
    /**
     * Names of machines that are made anew when what they boot with changes (snippets, versions, image, authorities), in the `up` that changes
     * it; one controller at a time. When a name is taken out again, nothing changes.
     * @default [] @see docs/scaling.md#with-todays-configuration
     */
    madeAnew?: string[];
    controllers?: DigitalOceanControllerOptions;
    /** Worker pools. @default no workers */
    workerPools?: DigitalOceanPoolOptions[];
    /**
     * Whether the API has a load balancer. Without one the API's name has the addresses of all controllers, to which
     * clients come themselves: it costs nothing, and finds out nothing. Chosen once.
     * @default true
     * @see docs/digitalocean.md#without-a-load-balancer
     */
    hasApiLoadBalancer?: boolean;
    /** Who may reach the API: IPv4 blocks. @default everybody @see docs/digitalocean.md#what-is-let-in */
    apiAllowedCidrs?: string[];
    /**
     * Droplets have an IPv6 address beside, and a way to the internet by it; without a load balancer the API's name has them
     * too. Pods and Services have none: the cluster's own networks stay IPv4. Not with a custom image. Chosen once.
     * @default false
     * @see docs/digitalocean.md#ipv6
     */
    hasIpv6?: boolean;
    /**
     * A load balancer whose TCP 80 and 443 lead to workers, where your ingress controller listens.
     * @default none @see docs/digitalocean.md#ingress
     */
    ingress?: IngressOptions;
    /**
     * DigitalOcean's cloud-controller-manager runs in the cluster, with a token of its own: nodes have types and regions,
     * those of droplets that are gone go, and Services of type LoadBalancer get load balancers. Chosen once: nodes are told
     * when they boot.
     * @default false
     * @see docs/cloud-controllers.md
     */
    hasCloudController?: boolean;
    /**
     * DigitalOcean's driver of volumes runs in the cluster, with a token of its own and a class `do-block-storage`.
     * @default false @see docs/cloud-controllers.md
     */
    hasCsiDriver?: boolean;
    /**
     * Images of DigitalOcean's own controllers and of the sidecars of its driver of volumes, in the place of those that the
     * release names: full names, each with a tag or a digest.
     * @default the release's own @see docs/cloud-controllers.md#what-is-pinned
     */
    cloudImages?: DigitalOceanCloudImages;
    /**
     * A Space that the stack makes for etcd's snapshots, with a key for it alone. It goes with the cluster, and what is in
     * it. Given without `etcdSnapshots.s3`, which is a bucket of yours.
     * @default none
     * @see docs/digitalocean.md#snapshots-in-spaces
     */
    snapshotSpace?: DigitalOceanSpaceOptions;
    /**
     * Name or id of a project of the account, to which droplets, volumes, load balancers and the Space of snapshots are
     * assigned.
     * @default the account's default project
     * @see docs/digitalocean.md#a-project
     */
    project?: string;
    /**
     * Tags on droplets and volumes, beside the cluster's own. DigitalOcean makes those that are not there, and the stack takes none away
     * from the account.
     * @default []
     * @see docs/digitalocean.md#tags
     */
    tags?: string[];
    /**
     * Ids or fingerprints of the account's SSH keys. Required with a custom image. No SSH reaches a droplet all the
     * same.
     * @default none
     */
    sshKeys?: string[];
}

/** Images by their full names, with a tag or a digest: `registry.example/controller:v1.2.3@sha256:...`. */
export interface DigitalOceanCloudImages {
    /** With `hasCloudController`. @default the release's own */
    digitalOceanCloudController?: string;
    /** With `hasCsiDriver`, as its sidecars below. @default the release's own */
    digitalOceanCsiDriver?: string;
    /** The sidecar `csi-provisioner`. @default the release's own */
    csiProvisioner?: string;
    /** The sidecar `csi-attacher`. @default the release's own */
    csiAttacher?: string;
    /** The sidecar `csi-resizer`. @default the release's own */
    csiResizer?: string;
    /** The sidecar `csi-node-driver-registrar`. @default the release's own */
    csiNodeDriverRegistrar?: string;
    /** The sidecar `livenessprobe`. @default the release's own */
    csiLivenessProbe?: string;
}

export interface DigitalOceanSpaceOptions {
    /** Of the bucket: one that no account has in the region. */
    name: string;
    /** Slug of a region that has Spaces. @default the cluster's */
    region?: string;
}

export interface DigitalOceanControllerOptions extends ControllerOptions {
    /** Slug of the droplets' size. @default "s-2vcpu-4gb" */
    size?: string;
    /**
     * Size of the volume that each controller's etcd has: 10 or more. It can only grow. Unit: GiB.
     * @default 20 @see docs/digitalocean.md#etcds-volumes
     */
    etcdDiskSize?: number;
}

export interface DigitalOceanPoolOptions extends WorkerPoolOptions {
    /** Slug of the droplets' size. @default "s-2vcpu-2gb" */
    size?: string;
}
