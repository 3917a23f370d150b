import type { ClusterAutoscalerOptions } from "../../cluster/manifests/addons/cluster-autoscaler";
import type { IngressOptions } from "../../cluster/network/ingress";
import type { CommonOptions, ControllerOptions, KeyOptions, WorkerPoolOptions } from "../../cluster/options";
import type { AwsDownloads } from "./downloads";

/** Options of a cluster on AWS: plain data, known in preview. */
export interface AwsOptions extends AwsSettings {
    keys?: KeyOptions;
    /** Where machines fetch the kubelet, CNI plugins and images. */
    downloads: AwsDownloads;
}

/** Those of them that Pulumi's schema has a form for: `plugin/index.ts` has the others in one of its own. */
export interface AwsSettings extends CommonOptions {
    /** DNS zone in which the cluster's names live: that of a public hosted zone of Route 53, or with `privateZone` any. */
    domain: string;
    /** Code of the region, `eu-central-1`: the one that Pulumi's provider for AWS is configured for. */
    region: string;
    /**
     * Id of a VPC that is there, in the place of one of the cluster's own. `vpcCidr` is its block then.
     * @default one of its own @see docs/aws.md#an-existing-network
     */
    vpcId?: string;
    /** With `vpcId`: ids of its subnets in which nodes are, with a way to the internet. */
    subnetIds?: string[];
    /**
     * With `vpcId`: ids of subnets for the load balancer, one of a zone: public ones, unless the API is internal.
     * @default `subnetIds`, if those are public or the API is internal
     */
    loadBalancerSubnetIds?: string[];
    /**
     * Letters of the availability zones over which nodes are spread: `["a", "b"]`. To add one or to put one elsewhere
     * moves none.
     * @default ["a", "b", "c"]
     */
    zones?: string[];
    /**
     * What instances boot: an AMI's id, `ami-...`, or the newest of a channel, `flatcar-stable`, `fedora-coreos-stable`, or a
     * version of it, `flatcar-stable-4593.2.1`. It is looked up once, for each architecture. It must have Ignition and
     * containerd 2.
     * @default "flatcar-stable"
     * @see docs/aws.md#the-image
     */
    image?: string;
    /**
     * How images take their configuration: `ignition` or `cloud-init`. With `cloud-init` an image is an AMI of yours, by its
     * id: it must have containerd 2, curl 7.88 and cloud-init.
     * @default "ignition"
     */
    os?: string;
    /**
     * Where nodes are: `public`, with addresses of their own in the internet, or `private`, behind NAT gateways.
     * @default "public"
     * @see docs/aws.md#private-nodes
     */
    topology?: string;
    /**
     * With private nodes: a NAT gateway in each zone, `one-per-zone`, or `one` for all, which is cheaper. With `none` and an
     * internal API nothing gets out, nor is there anything public: nodes reach S3 and what else they need through endpoints in
     * the VPC, and you give `downloads` from places that they reach.
     * @default "one-per-zone"
     * @see docs/aws.md#no-way-out
     */
    natGateways?: string;
    /**
     * With `natGateways: "none"`: services that get an endpoint in each zone of the VPC, beside S3 and those that AWS' own
     * controllers in the cluster call: ends of their names, `["ecr.api", "ecr.dkr"]`. With pools `ec2` has one in the first zone.
     * @default none
     * @see docs/aws.md#no-way-out
     */
    vpcEndpoints?: string[];
    /**
     * Where the load balancer is: `public`, with addresses in the internet, or `internal`, with addresses of the VPC alone,
     * to which Pulumi too must have a way. Chosen once.
     * @default "public"
     * @see docs/aws.md#an-internal-api
     */
    apiAccess?: string;
    /**
     * With an internal API: its names are in a private hosted zone, which VPCs alone resolve. `own` is one of the cluster's
     * own, for `<cluster>.<domain>`; else the id of one that is there, for that or for `domain`.
     * @default they are in the public hosted zone of `domain`
     * @see docs/aws.md#an-internal-api
     */
    privateZone?: string;
    /**
     * Who may reach the API: IPv4 blocks; of IPv6 then nobody else. Nodes may besides: of an internal API the whole VPC may, and of a public one they
     * have to be `private`, and reach it through NAT gateways.
     * @default everybody; of an internal API the VPC
     * @see docs/aws.md#what-is-let-in
     */
    apiAllowedCidrs?: string[];
    /**
     * TCP 80 and 443 of the load balancer lead to workers, where your ingress controller listens.
     * @default they do not @see docs/aws.md#ingress
     */
    ingress?: IngressOptions;
    /**
     * AWS' cloud-controller-manager runs in the cluster: nodes have zones and types, those of instances that are gone go,
     * and Services of type LoadBalancer get load balancers. Chosen once: nodes are told when they boot.
     * @default false
     * @see docs/cloud-controllers.md
     */
    hasCloudController?: boolean;
    /**
     * AWS' driver of EBS volumes runs in the cluster, with a class `gp3` of encrypted volumes.
     * @default false @see docs/cloud-controllers.md
     */
    hasCsiDriver?: boolean;
    /**
     * cluster-autoscaler runs in the cluster, and decides how many instances pools with `min` and `max` have. With
     * `hasCloudController`, by which it knows which node is which instance.
     * @default false
     * @see docs/cloud-controllers.md#cluster-autoscaler
     */
    hasClusterAutoscaler?: boolean;
    /** How that decides which pool grows, and when a node may go. @default as its flags' defaults, and `least-waste` */
    clusterAutoscaler?: ClusterAutoscalerOptions;
    /**
     * Images of AWS' own controllers and of the sidecars of its driver of volumes, in the place of those that the release pins:
     * full names, each with a tag or a digest.
     * @default the release's own @see docs/cloud-controllers.md#what-is-pinned
     */
    cloudImages?: AwsCloudImages;
    /**
     * A bucket that the stack makes for etcd's snapshots, which controllers use as their instances' role. It goes with the cluster, and
     * what is in it. Given without `etcdSnapshots.s3`, which is a bucket of yours.
     * @default none
     * @see docs/aws.md#snapshots-in-s3
     */
    snapshotBucket?: AwsSnapshotBucketOptions;
    /**
     * The VPC, its subnets, instances and the load balancer have IPv6 addresses beside, and ways to the internet by them. Pods
     * and Services have not: the cluster's own networks stay IPv4.
     * @default false
     * @see docs/aws.md#ipv6
     */
    hasIpv6?: boolean;
    /** The VPC's addresses: a private IPv4 block, /16 to /24. Each zone takes a sixteenth of a VPC of its own. @default "10.0.0.0/16" */
    vpcCidr?: string;
    /**
     * Names of controllers that are made anew when what they boot with changes (snippets, versions, image, authorities), in the `up` that changes
     * it; one controller at a time. When a name is taken out again, nothing changes.
     * @default [] @see docs/scaling.md#with-todays-configuration
     */
    madeAnew?: string[];
    controllers?: AwsControllerOptions;
    /** Worker pools. @default no workers */
    workerPools?: AwsPoolOptions[];
    /** Tags on everything that is made, beside the cluster's own: seven at most. @default {} */
    tags?: Record<string, string>;
}

/** Images by their full names, with a tag or a digest: `registry.example/controller:v1.2.3@sha256:...`. */
export interface AwsCloudImages {
    /** With `hasCloudController`. @default the release's own */
    awsCloudController?: string;
    /** With `hasCsiDriver`, as its sidecars below. @default the release's own */
    awsCsiDriver?: string;
    /** With `hasClusterAutoscaler`. @default the release's own */
    clusterAutoscaler?: string;
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

export interface AwsSnapshotBucketOptions {
    /** Of the bucket: one that no account has. */
    name: string;
}

export interface AwsControllerOptions extends ControllerOptions, AwsInstanceOptions {
    /**
     * Size of the encrypted volume that each controller's etcd has: 10 or more. It can only grow. Unit: GiB.
     * @default 20 @see docs/aws.md#etcds-volumes
     */
    etcdDiskSize?: number;
}

/** A pool is an Auto Scaling group. */
export interface AwsPoolOptions extends WorkerPoolOptions, AwsInstanceOptions {
    /**
     * Instance types of which the group takes what there is, in the place of `instanceType`: of one architecture, those
     * first that are wanted first.
     * @default one type
     * @see docs/aws.md#pools
     */
    instanceTypes?: string[];
    /** Takes spot instances; may be `{}`. @default all are on demand @see docs/aws.md#pools */
    spot?: AwsSpotOptions;
    /**
     * With `max`: how many instances there are at least. Something in the cluster decides; `count` is for the beginning.
     * @default `count` @see docs/aws.md#pools
     */
    min?: number;
    /** How many there are at most. @default `count` */
    max?: number;
    /**
     * Replaces instances, a few at a time, when what they boot with changes; may be `{}`.
     * @default they stay as they are @see docs/aws.md#pools
     */
    instanceRefresh?: AwsRefreshOptions;
}

export interface AwsSpotOptions {
    /** How many instances are on demand before any is spot: as many as there may be, at most. @default 0 */
    onDemandBase?: number;
    /** Percentage of the others that are on demand. @default 0 */
    onDemandPercentage?: number;
}

export interface AwsRefreshOptions {
    /** Percentage of the group that is there at least. @default 100 */
    minHealthyPercentage?: number;
    /**
     * Percentage of the group that is there at most: new ones come first when it is more than 100. 100 more than the
     * least at most.
     * @default 110
     */
    maxHealthyPercentage?: number;
    /** How long a new instance takes to become a node: `90s`. @default "3m" */
    warmup?: string;
}

export interface AwsInstanceOptions {
    /**
     * Its name tells the architecture: `t4g.medium` is of arm64. Controllers' is of the Nitro system, as all of today's families are.
     * @default "t3.medium"
     */
    instanceType?: string;
    /** In the place of the cluster's `image`. @default that */
    image?: string;
    /** Size of the encrypted root volume: 10 or more. Unit: GiB. @default 30 */
    diskSize?: number;
}
