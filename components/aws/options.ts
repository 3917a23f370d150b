import type { IngressOptions } from "../cluster/ingress";
import type { ClusterOptions, ControllerOptions, WorkerPoolOptions } from "../cluster/options";
import type { NodeDownloads } from "../nodes/downloads";

/** Options of a cluster on AWS: plain data, known in preview. */
export interface AwsOptions extends Omit<ClusterOptions, "name" | "domain" | "controllers" | "workerPools"> {
    /** DNS zone in which the cluster's names live: that of a public hosted zone of Route 53. */
    domain: string;
    /** Code of the region, `eu-central-1`: the one that Pulumi's provider for AWS is configured for. */
    region: string;
    /** Letters of the availability zones over which nodes are spread: `["a", "b"]`. @default ["a", "b", "c"] */
    zones?: string[];
    /**
     * What instances boot: an AMI's id, `ami-...`, or Flatcar's newest of a channel, `flatcar-stable`, or a version of it,
     * `flatcar-stable-4593.1.0`. It is looked up once. It must have Ignition and containerd 2, and be for amd64.
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
    /** The VPC's addresses: a private IPv4 block, /16 to /24. Each zone takes a sixteenth of it. @default "10.0.0.0/16" */
    vpcCidr?: string;
    controllers?: AwsControllerOptions;
    /** Worker pools. @default no workers */
    workerPools?: AwsPoolOptions[];
    /** Tags on everything that is made, beside the cluster's own. @default {} */
    tags?: Record<string, string>;
    /** Where machines fetch the kubelet, CNI plugins and images. */
    downloads: NodeDownloads;
}

export interface AwsControllerOptions extends ControllerOptions, AwsInstanceOptions {}

/** A pool is an Auto Scaling group. */
export interface AwsPoolOptions extends WorkerPoolOptions, AwsInstanceOptions {}

export interface AwsInstanceOptions {
    /** @default "t3.medium" */
    instanceType?: string;
    /** Size of the encrypted root volume: 10 or more. Unit: GiB. @default 30 */
    diskSize?: number;
}
