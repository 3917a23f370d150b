import type { Input } from "@pulumi/pulumi";
import type { CloudDownloads } from "../../cluster/cloud-downloads";
import type { IngressOptions } from "../../cluster/network/ingress";
import type { CommonOptions, ControllerOptions, KeyOptions, WorkerPoolOptions } from "../../cluster/options";

/** Options of a cluster on DigitalOcean: what shapes it is plain data; what comes from other resources may be an output. */
export interface DigitalOceanOptions extends DigitalOceanSettings {
    keys?: KeyOptions;
}

/** The options that Pulumi's schema can express. `plugin/clouds` declares `keys` in its own form. */
export interface DigitalOceanSettings extends CommonOptions {
    /**
     * Where machines download the kubelet, CNI plugins and images.
     * @default where their projects publish them @see docs/configuration.md#downloads
     */
    downloads?: CloudDownloads;
    /** DNS zone of the cluster's names: a domain that the account manages in DigitalOcean DNS. */
    domain: string;
    /** Region slug: `fra1`. */
    region: string;
    /**
     * What droplets boot: an image slug (`ubuntu-26-04-x64`) or the id of a custom image. The image must have
     * containerd 2, unless `downloads.containerRuntime` provides it. Required without `importedImage`.
     * @default none
     */
    image?: Input<string>;
    /**
     * Custom image that the stack imports into the region, instead of `image`. Another version imports another image:
     * new droplets boot it, and existing ones when they are replaced.
     * @default none @see docs/digitalocean.md#imported-images
     */
    importedImage?: DigitalOceanImageOptions;
    /** How the image is configured: `ignition` or `cloud-init`. @default "ignition" */
    os?: string;
    /**
     * Addresses of the VPC: a private IPv4 block, /16 to /24, not used by another VPC of the account; choose one per
     * cluster.
     * @default "172.24.0.0/20"
     */
    vpcCidr?: string;
    /**
     * Names of machines to replace when their boot configuration changes (snippets, versions, image, CAs), in the same
     * `pulumi up`, one controller at a time. Removing a name from the list changes nothing.
     * @default [] @see docs/scaling.md#recreate-with-the-current-configuration
     */
    recreate?: string[];
    controllers?: DigitalOceanControllerOptions;
    /** Worker pools. @default no workers */
    workerPools?: DigitalOceanPoolOptions[];
    /**
     * Whether the API has a load balancer. Without one, the API name resolves to the addresses of all controllers and
     * clients choose one: this costs nothing, but failed controllers stay in DNS. Cannot be changed after creation.
     * @default true @see docs/digitalocean.md#without-a-load-balancer
     */
    apiLoadBalancer?: boolean;
    /**
     * Sizes of the load balancers, in nodes: 1 to 100. Each node handles 10,000 connections at a time and 250 new TLS
     * connections per second, and costs as much as a load balancer of one.
     * @default 1 node each @see docs/digitalocean.md#load-balancers
     */
    loadBalancerNodes?: DigitalOceanBalancerNodes;
    /** IPv4 blocks that may reach the API. @default all addresses @see docs/digitalocean.md#allowed-traffic */
    apiAllowedCidrs?: string[];
    /**
     * Gives droplets an IPv6 address too, with a route to the internet; without a load balancer the API name also
     * resolves to these addresses. Pods and Services do not get any: the cluster's own networks stay IPv4. Not
     * available with a custom image. Cannot be changed after creation.
     * @default false @see docs/digitalocean.md#ipv6
     */
    ipv6?: boolean;
    /**
     * Load balancer that forwards TCP 80 and 443 to workers, where your ingress controller listens.
     * @default none @see docs/digitalocean.md#ingress
     */
    ingress?: IngressOptions;
    /**
     * Whether ingress has a load balancer. Without one, the ingress name resolves to the public addresses of all workers
     * that receive ingress traffic, which clients connect to on the workers' ports.
     * @default true @see docs/digitalocean.md#ingress
     */
    ingressLoadBalancer?: boolean;
    /**
     * Inbound traffic that firewalls allow, in addition to what the cluster needs.
     * @default none @see docs/digitalocean.md#allowed-traffic
     */
    firewallRules?: DigitalOceanFirewallRule[];
    /**
     * Whether DigitalOcean backs up droplets every week, which costs a fifth of their price. Backups do not contain etcd,
     * which is on volumes: see `etcdSnapshots`.
     * @default false @see docs/digitalocean.md#backups-and-monitoring
     */
    backups?: boolean;
    /**
     * Whether DigitalOcean's metrics agent is installed, for graphs and alerts of memory and disks. Not available with a
     * custom image. Existing droplets get it when they are replaced.
     * @default false @see docs/digitalocean.md#backups-and-monitoring
     */
    monitoring?: boolean;
    /**
     * Runs the DigitalOcean cloud-controller-manager, with its own token: nodes get types and regions, nodes of deleted
     * droplets are removed, and Services of type LoadBalancer get load balancers. Cannot be changed after creation,
     * because it is part of the node configuration.
     * @default false @see docs/cloud-controllers.md
     */
    cloudController?: boolean;
    /**
     * Runs the DigitalOcean CSI driver, with its own token and a storage class `do-block-storage`.
     * @default false @see docs/cloud-controllers.md
     */
    csiDriver?: boolean;
    /**
     * Runs the snapshot controller, defines the kinds of `snapshot.storage.k8s.io`, and adds a class `do-block-storage`. Requires
     * `csiDriver`, which takes the snapshots.
     * @default false @see docs/cloud-controllers.md#volume-snapshots
     */
    volumeSnapshots?: boolean;
    /**
     * Images of the DigitalOcean controllers and the sidecars of the CSI driver, instead of those that the release
     * pins: full names, each with a tag or a digest.
     * @default the release's images @see docs/cloud-controllers.md#pinned-images
     */
    cloudImages?: DigitalOceanCloudImages;
    /**
     * Space that the stack creates for etcd snapshots, with an access key of its own. It is deleted with the cluster,
     * including its contents. Cannot be combined with `etcdSnapshots.s3`, which is for an existing bucket.
     * @default none @see docs/digitalocean.md#snapshots-in-spaces
     */
    snapshotSpace?: DigitalOceanSpaceOptions;
    /**
     * Name or id of a project that droplets, volumes, load balancers and the Space for snapshots are assigned to.
     * @default the account's default project @see docs/digitalocean.md#projects
     */
    project?: Input<string>;
    /**
     * Tags on droplets and volumes, in addition to the cluster's own. DigitalOcean creates missing tags; the stack
     * never removes a tag from the account.
     * @default [] @see docs/digitalocean.md#tags
     */
    tags?: Input<string>[];
    /**
     * Ids or fingerprints of SSH keys of the account. Required with a custom image. The firewall blocks SSH to droplets
     * in any case.
     * @default none
     */
    sshKeys?: Input<string>[];
}

/** An image that DigitalOcean downloads. */
export interface DigitalOceanImageOptions {
    /** Version of Flatcar, or of the image at `url`: `4593.2.1`. */
    version: string;
    /** Flatcar's channel: `stable`, `lts`, `beta` or `alpha`. @default "stable" */
    channel?: string;
    /**
     * URL of another image, in which `{version}` stands for the version. DigitalOcean must be able to download it.
     * @default Flatcar's image for DigitalOcean
     */
    url?: string;
    /** Name by which DigitalOcean knows the distribution: `Ubuntu`. @default "CoreOS" for Flatcar, otherwise "Unknown" */
    distribution?: string;
}

export interface DigitalOceanBalancerNodes {
    /** The API's load balancer. @default 1 */
    api?: number;
    /** The ingress load balancer. @default 1 */
    ingress?: number;
}

/** Inbound traffic that a firewall allows. */
export interface DigitalOceanFirewallRule {
    /** Machines that it is allowed to: `all`, `controllers` or `workers`. @default "all" */
    role?: string;
    /** `tcp`, `udp` or `icmp`. @default "tcp" */
    protocol?: string;
    /** A port or a range: `9100`, `30000-32767`. Omitted with `icmp`. @default none */
    ports?: string;
    /** IPv4 or IPv6 blocks, or `nodes` for all nodes of the cluster. */
    sources: string[];
}

/** Full image names with a tag or a digest: `registry.example/controller:v1.2.3@sha256:...`. */
export interface DigitalOceanCloudImages {
    /** With `cloudController`. @default the release's image */
    digitalOceanCloudController?: string;
    /** With `csiDriver`, as are its sidecars below. @default the release's image */
    digitalOceanCsiDriver?: string;
    /** The sidecar `csi-provisioner`. @default the release's image */
    csiProvisioner?: string;
    /** The sidecar `csi-attacher`. @default the release's image */
    csiAttacher?: string;
    /** The sidecar `csi-resizer`. @default the release's image */
    csiResizer?: string;
    /** The sidecar `csi-node-driver-registrar`. @default the release's image */
    csiNodeDriverRegistrar?: string;
    /** The sidecar `livenessprobe`. @default the release's image */
    csiLivenessProbe?: string;
    /** With `volumeSnapshots`: the sidecar `csi-snapshotter`. @default the release's image */
    csiSnapshotter?: string;
    /** With `volumeSnapshots`. @default the release's image */
    snapshotController?: string;
}

/** DigitalOcean API tokens for controllers in the cluster, each with only the scopes that it needs. */
export interface DigitalOceanTokens {
    /** Token for `cloudController`. A secret. */
    cloudController?: string;
    /** Token for `csiDriver`. A secret. */
    csiDriver?: string;
    /** Token for `repair`. A secret. @see docs/repair.md#permissions */
    repair?: string;
}

export interface DigitalOceanSpaceOptions {
    /** Bucket name. Must be unique in the region, across all accounts. */
    name: string;
    /** Slug of a region with Spaces. @default the cluster's region */
    region?: string;
    /**
     * Whether the bucket outlives the cluster, this option and a change of its name. Otherwise it is deleted with all
     * snapshots.
     * @default true @see docs/etcd.md#retained-snapshots
     */
    retained?: boolean;
    /**
     * Whether snapshots are encrypted with a key of the stack before they are uploaded.
     * @default true @see docs/etcd.md#encryption
     */
    isEncrypted?: boolean;
}

export interface DigitalOceanControllerOptions extends ControllerOptions {
    /** Droplet size slug. @default "s-2vcpu-4gb" */
    size?: string;
    /**
     * Size of the etcd volume of each controller: 10 or more. It can only grow. Unit: GiB.
     * @default 20 @see docs/digitalocean.md#etcd-volumes
     */
    etcdDiskSize?: number;
}

export interface DigitalOceanPoolOptions extends WorkerPoolOptions {
    /** Droplet size slug. @default "s-2vcpu-2gb" */
    size?: string;
}
