import type { IngressOptions } from "../cluster/ingress";
import type { ClusterOptions, ControllerOptions, WorkerPoolOptions } from "../cluster/options";
import type { AwsDownloads } from "./downloads";

/** Options of a cluster on AWS: plain data, known in preview. */
export interface AwsOptions
    extends Omit<ClusterOptions, "name" | "domain" | "controllers" | "workerPools" | "cloudProvider"> {
    /** DNS zone in which the cluster's names live: that of a public hosted zone of Route 53. */
    domain: string;
    /** Code of the region, `eu-central-1`: the one that Pulumi's provider for AWS is configured for. */
    region: string;
    /** Id of a VPC that is there, in the place of one of the cluster's own. `vpcCidr` is its block then. @default one of its own */
    vpcId?: string;
    /** With `vpcId`: ids of its subnets in which nodes are, with a way to the internet. */
    subnetIds?: string[];
    /** With `vpcId`: ids of public subnets for the load balancer, one of a zone. @default `subnetIds`, if those are public */
    loadBalancerSubnetIds?: string[];
    /** Letters of the availability zones over which nodes are spread: `["a", "b"]`. @default ["a", "b", "c"] */
    zones?: string[];
    /**
     * What instances boot: an AMI's id, `ami-...`, or the newest of a channel, `flatcar-stable`, `fedora-coreos-stable`, or a
     * version of it, `flatcar-stable-4593.1.0`. It is looked up once, for each architecture. It must have Ignition and
     * containerd 2.
     * @default "flatcar-stable"
     */
    image?: string;
    /**
     * Where nodes are: `public`, with addresses of their own in the internet, or `private`, behind NAT gateways.
     * @default "public"
     */
    topology?: string;
    /** With private nodes: a NAT gateway in each zone, `one-per-zone`, or `one` for all, which is cheaper. @default "one-per-zone" */
    natGateways?: string;
    /**
     * Who may reach the API: IPv4 blocks. Nodes may besides, which have to be `private`: they reach it through NAT gateways.
     * @default everybody
     */
    apiAllowedCidrs?: string[];
    /** TCP 80 and 443 of the load balancer lead to workers, where your ingress controller listens. @default they do not */
    ingress?: IngressOptions;
    /**
     * AWS' cloud-controller-manager runs in the cluster: nodes have zones and types, those of instances that are gone go,
     * and Services of type LoadBalancer get load balancers. Chosen once: nodes are told when they boot.
     * @default false
     */
    hasCloudController?: boolean;
    /** AWS' driver of EBS volumes runs in the cluster, with a class `gp3` of encrypted volumes. @default false */
    hasCsiDriver?: boolean;
    /**
     * cluster-autoscaler runs in the cluster, and decides how many instances pools with `min` and `max` have. With
     * `hasCloudController`, by which it knows which node is which instance.
     * @default false
     */
    hasClusterAutoscaler?: boolean;
    /** The VPC's addresses: a private IPv4 block, /16 to /24. Each zone takes a sixteenth of a VPC of its own. @default "10.0.0.0/16" */
    vpcCidr?: string;
    controllers?: AwsControllerOptions;
    /** Worker pools. @default no workers */
    workerPools?: AwsPoolOptions[];
    /** Tags on everything that is made, beside the cluster's own. @default {} */
    tags?: Record<string, string>;
    /** Where machines fetch the kubelet, CNI plugins and images. */
    downloads: AwsDownloads;
}

export interface AwsControllerOptions extends ControllerOptions, AwsInstanceOptions {
    /** Size of the encrypted volume that each controller's etcd has: 10 or more. It can only grow. Unit: GiB. @default 20 */
    etcdDiskSize?: number;
}

/** A pool is an Auto Scaling group. */
export interface AwsPoolOptions extends WorkerPoolOptions, AwsInstanceOptions {
    /**
     * Instance types of which the group takes what there is, in the place of `instanceType`: of one architecture, those
     * first that are wanted first.
     * @default one type
     */
    instanceTypes?: string[];
    /** Takes spot instances. @default all are on demand */
    spot?: AwsSpotOptions;
    /** With `max`: how many instances there are at least. Something in the cluster decides; `count` is for the beginning. @default `count` */
    min?: number;
    /** How many there are at most. @default `count` */
    max?: number;
    /** Replaces instances, a few at a time, when what they boot with changes. @default they stay as they are */
    instanceRefresh?: AwsRefreshOptions;
}

export interface AwsSpotOptions {
    /** How many instances are on demand before any is spot. @default 0 */
    onDemandBase?: number;
    /** Percentage of the others that are on demand. @default 0 */
    onDemandPercentage?: number;
}

export interface AwsRefreshOptions {
    /** Percentage of the group that is there at least. @default 100 */
    minHealthyPercentage?: number;
    /** Percentage of the group that is there at most: new ones come first when it is more than 100. @default 110 */
    maxHealthyPercentage?: number;
    /** How long a new instance takes to become a node: `90s`. @default "3m" */
    warmup?: string;
}

export interface AwsInstanceOptions {
    /** Its name tells the architecture: `t4g.medium` is of arm64. @default "t3.medium" */
    instanceType?: string;
    /** In the place of the cluster's `image`. @default that */
    image?: string;
    /** Size of the encrypted root volume: 10 or more. Unit: GiB. @default 30 */
    diskSize?: number;
}
