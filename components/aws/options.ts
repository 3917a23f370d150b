import type { Input } from "@pulumi/pulumi";
import type { ClusterAutoscalerOptions } from "../../cluster/manifests/addons/cluster-autoscaler";
import type { IngressOptions } from "../../cluster/network/ingress";
import type { CommonOptions, ControllerOptions, KeyOptions, WorkerPoolOptions } from "../../cluster/options";
import type { AwsDownloads } from "./downloads";

/** Options of a cluster on AWS: what shapes it is plain data; what comes from other resources may be an output. */
export interface AwsOptions extends AwsSettings {
    keys?: KeyOptions;
}

/** The options that Pulumi's schema can express. `plugin/clouds` declares `keys` in its own form. */
export interface AwsSettings extends CommonOptions {
    /**
     * Where machines download the kubelet, CNI plugins and images.
     * @default where their projects publish them @see docs/configuration.md#downloads
     */
    downloads?: AwsDownloads;
    /** DNS zone of the cluster's names: a public hosted zone in Route 53, or any zone with `privateZone`. */
    domain: string;
    /** Region code, such as `eu-central-1`. Must match the region of Pulumi's AWS provider. */
    region: string;
    /**
     * Id of the public hosted zone of `domain`. Name it if the program creates the zone, or if the account has several.
     * @default looked up by `domain` @see docs/aws-networks.md#existing-network
     */
    publicZone?: Input<string>;
    /**
     * Id of an existing VPC to use instead of creating one. `vpcCidr` must be its block.
     * @default a VPC is created @see docs/aws-networks.md#existing-network
     */
    vpcId?: Input<string>;
    /** With `vpcId`: ids of the subnets for nodes. They need a route to the internet. */
    subnetIds?: Input<string>[];
    /**
     * With `vpcId`: ids of the subnets for the load balancer, one per zone. They must be public unless the API is
     * internal.
     * @default `subnetIds`, if they are public or the API is internal
     */
    loadBalancerSubnetIds?: Input<string>[];
    /**
     * Letters of the availability zones that nodes are spread across: `["a", "b"]`. Adding a zone or changing the order
     * moves no node.
     * @default ["a", "b", "c"]
     */
    zones?: string[];
    /**
     * What instances boot: an AMI id (`ami-...`), the newest image of a channel (`flatcar-stable`,
     * `fedora-coreos-stable`), or a specific version (`flatcar-stable-4593.2.1`). It is looked up once per
     * architecture. The image must have Ignition and containerd 2.
     * @default "flatcar-stable" @see docs/aws.md#images
     */
    image?: Input<string>;
    /**
     * How images are configured: `ignition` or `cloud-init`. With `cloud-init`, the image must be given by AMI id and
     * must have containerd 2, curl 7.88 and cloud-init.
     * @default "ignition"
     */
    os?: string;
    /**
     * Where nodes are: `public`, with public addresses, or `private`, behind NAT gateways.
     * @default "public" @see docs/aws-networks.md#private-nodes
     */
    topology?: string;
    /**
     * With private nodes: `one-per-zone` creates a NAT gateway in each zone, `one` shares one between all zones, which
     * is cheaper. With `none` and an internal API there is no route to the internet and nothing is public: nodes reach
     * S3 and other services through VPC endpoints, and `downloads` must name places that they can reach.
     * @default "one-per-zone" @see docs/aws-networks.md#no-outbound-internet
     */
    natGateways?: string;
    /**
     * With `natGateways: "none"`: services that get a VPC endpoint in each zone, in addition to S3 and the services
     * that the AWS controllers in the cluster call. Given by the end of their names: `["ecr.api", "ecr.dkr"]`. With
     * pools, `ec2` has an endpoint in the first zone.
     * @default none @see docs/aws-networks.md#no-outbound-internet
     */
    vpcEndpoints?: string[];
    /**
     * Whether nodes reach S3 in the region by a gateway endpoint, which is free, instead of by NAT gateways.
     * @default true with private nodes in a VPC created by the stack
     * @see docs/aws-networks.md#private-nodes
     */
    s3Endpoint?: boolean;
    /**
     * Where the API's load balancer is: `public`, with public addresses, or `internal`, with VPC addresses only, which
     * Pulumi must be able to reach too. Cannot be changed after creation.
     * @default "public" @see docs/aws-networks.md#internal-api
     */
    apiAccess?: string;
    /**
     * How nodes reach a public API: `shared`, by the load balancer of all clients, or `internal`, by a second load
     * balancer that only has addresses in the VPC, where it has the API's name. May be changed at any time.
     * @default "internal" in a VPC created by the stack, with private nodes or with `apiAllowedCidrs`;
     * otherwise "shared" @see docs/aws-networks.md#how-nodes-reach-the-api
     */
    nodeApiAccess?: string;
    /**
     * With an internal API: private hosted zone for its names, which only VPCs can resolve. `own` creates one for
     * `<cluster>.<domain>`; otherwise the id of an existing zone for that name or for `domain`.
     * @default the names are in the public hosted zone of `domain` @see docs/aws-networks.md#internal-api
     */
    privateZone?: Input<string>;
    /**
     * IPv4 blocks that may reach the API; IPv6 clients are then refused. Nodes always have access: the whole VPC can
     * reach an internal API or an internal `nodeApiAccess`; otherwise nodes must be `private` and connect through NAT
     * gateways.
     * @default all addresses; for an internal API, the VPC @see docs/aws.md#allowed-traffic
     */
    apiAllowedCidrs?: string[];
    /**
     * How the API's load balancers check controllers: `https`, by the apiserver's readiness, or `tcp`, by whether its
     * port is open. May be changed at any time.
     * @default "https" @see docs/aws.md#health-checks-of-the-api
     */
    apiHealthCheck?: string;
    /**
     * Forwards TCP 80 and 443 of the load balancer to workers, where your ingress controller listens.
     * @default not forwarded @see docs/aws.md#ingress
     */
    ingress?: AwsIngressOptions;
    /**
     * Inbound traffic to allow to nodes in addition to what the cluster needs, such as metrics ports between nodes:
     * `[{ports: "9100"}]`.
     * @default none @see docs/aws.md#allowed-traffic
     */
    inboundRules?: AwsInboundRule[];
    /**
     * With `vpcId`: ids of security groups of that VPC, up to three, that every node is also in; with candidates for
     * controllers, up to two. Running instances of pools keep theirs.
     * @default none @see docs/aws.md#allowed-traffic
     */
    securityGroupIds?: Input<string>[];
    /**
     * Runs the AWS cloud-controller-manager: nodes get zones and types, nodes of terminated instances are removed, and
     * Services of type LoadBalancer get load balancers. Cannot be changed after creation, because it is part of the
     * node configuration.
     * @default false @see docs/cloud-controllers.md
     */
    cloudController?: boolean;
    /**
     * Runs the AWS EBS CSI driver, with a storage class `gp3` of encrypted volumes.
     * @default false @see docs/cloud-controllers.md
     */
    csiDriver?: boolean;
    /**
     * Runs the snapshot controller, defines the kinds of `snapshot.storage.k8s.io`, and adds a class `ebs`. Requires
     * `csiDriver`, which takes the snapshots.
     * @default false @see docs/cloud-controllers.md#volume-snapshots
     */
    volumeSnapshots?: boolean;
    /**
     * Runs cluster-autoscaler, which scales pools between `min` and `max`. Requires `cloudController`, which maps
     * nodes to instances.
     * @default false @see docs/cloud-controllers.md#cluster-autoscaler
     */
    autoscaler?: boolean;
    /**
     * How cluster-autoscaler chooses the pool to grow and when to remove a node.
     * @default the defaults of its flags, and `least-waste`
     */
    clusterAutoscaler?: ClusterAutoscalerOptions;
    /**
     * Images of the AWS controllers and the sidecars of the CSI driver, instead of those that the release pins: full
     * names, each with a tag or a digest.
     * @default the release's images @see docs/cloud-controllers.md#pinned-images
     */
    cloudImages?: AwsCloudImages;
    /**
     * Bucket that the stack creates for etcd snapshots. Controllers use it with their instance role. It is deleted with
     * the cluster, including its contents. Cannot be combined with `etcdSnapshots.s3`, which is for an existing bucket.
     * @default none @see docs/aws.md#snapshots-in-s3
     */
    snapshotBucket?: AwsSnapshotBucketOptions;
    /**
     * Gives the VPC, its subnets, instances and the load balancer IPv6 addresses too, with routes to the internet; with
     * `podCidr6` and `serviceCidr6` also pods and Services.
     * @default false @see docs/aws-networks.md#ipv6
     */
    ipv6?: boolean;
    /**
     * Addresses of the VPC: a private IPv4 block, /16 to /24. In a VPC created by the stack, each zone gets a
     * sixteenth.
     * @default "10.0.0.0/16"
     */
    vpcCidr?: string;
    /**
     * Names of controllers to replace when their boot configuration changes (snippets, versions, image, CAs), in the
     * same `pulumi up`, one controller at a time. Removing a name from the list changes nothing.
     * @default [] @see docs/scaling.md#recreate-with-the-current-configuration
     */
    recreate?: string[];
    /**
     * ARN of the KMS key that encrypts root volumes, etcd volumes, volumes of the storage class `gp3` and the bucket of
     * `snapshotBucket`. Existing volumes keep their key. The key's policy must allow Auto Scaling to use it.
     * @default AWS' own key for EBS @see docs/aws-machines.md#encryption-key
     */
    kmsKeyId?: Input<string>;
    /**
     * ARN of the policy that limits the permissions of every role that the stack creates.
     * @default none @see docs/aws-machines.md#roles
     */
    permissionsBoundary?: Input<string>;
    /**
     * Whether AWS Systems Manager may open shells on instances: their roles get the policy
     * `AmazonSSMManagedInstanceCore`. The image must contain its agent, as Flatcar's and Ubuntu's do.
     * @default false @see docs/aws-machines.md#shells-without-ssh
     */
    sessionManager?: boolean;
    /**
     * Whether new machines can pull images from private registries in ECR: their roles may, and their kubelets have the
     * credential provider of cloud-provider-aws.
     * @default false @see docs/aws-machines.md#pulls-from-ecr
     */
    ecrPulls?: boolean;
    /**
     * Lets service accounts assume IAM roles: tokens are of an issuer that IAM trusts.
     * @default tokens are for the cluster only @see docs/aws-machines.md#permissions-of-pods
     */
    serviceAccountRoles?: AwsServiceAccountRolesOptions;
    controllers?: AwsControllerOptions;
    /** Worker pools. @default no workers */
    workerPools?: AwsPoolOptions[];
    /** Tags on every resource, in addition to the cluster's own: seven at most. @default {} */
    tags?: Record<string, Input<string>>;
}

export interface AwsIngressOptions extends IngressOptions {
    /**
     * The load balancer sends the client's address in a proxy protocol header (version 2), which the ingress controller
     * must expect, and connects from its own address. Pods on a worker that receives ingress can then use it too.
     * @default false: workers see the client's address @see docs/aws.md#ingress
     */
    proxyProtocol?: boolean;
}

export interface AwsInboundRule {
    /** A port, or a range: `9100-9110`. */
    ports: string;
    /** `tcp` or `udp`. @default "tcp" */
    protocol?: string;
    /** `nodes`, an IPv4 block, or the id of a security group of the VPC. @default "nodes" */
    from?: Input<string>;
    /** `nodes`, `controllers` or `workers`. @default "nodes" */
    to?: string;
}

/** Full image names with a tag or a digest: `registry.example/controller:v1.2.3@sha256:...`. */
export interface AwsCloudImages {
    /** With `cloudController`. @default the release's image */
    awsCloudController?: string;
    /** With `csiDriver`, as are its sidecars below. @default the release's image */
    awsCsiDriver?: string;
    /** With `autoscaler`. @default the release's image */
    clusterAutoscaler?: string;
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

export interface AwsSnapshotBucketOptions {
    /** Bucket name. Must be globally unique. */
    name: string;
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

/** The issuer of service account tokens: either `bucket` or `issuerUrl`. */
export interface AwsServiceAccountRolesOptions {
    /**
     * Name of a bucket that the stack creates for the issuer's two documents, which everyone can read. Must be globally
     * unique. It is deleted with the cluster.
     */
    bucket?: string;
    /** URL with `https` at which you publish the documents, which are in the output `oidcDocuments`. */
    issuerUrl?: string;
    /**
     * Whether new tokens are of this issuer. With `false`, its tokens are only accepted: on an existing cluster before
     * the issuer is used, and for an hour before it is removed.
     * @default true @see docs/aws-machines.md#change-the-issuer
     */
    issuing?: boolean;
}

export interface AwsControllerOptions extends ControllerOptions, AwsInstanceOptions {
    /**
     * Size of the encrypted etcd volume of each controller: 10 or more. It can only grow. Unit: GiB.
     * @default 20 @see docs/aws.md#etcd-volumes
     */
    etcdDiskSize?: number;
    /**
     * Type of the etcd volumes: `gp3`, `gp2`, `io2` or `io1`. Existing volumes are changed while they are in use.
     * @default "gp3" @see docs/aws-machines.md#disks
     */
    etcdDiskType?: string;
    /**
     * IOPS of the etcd volumes: 3000 to 80000 with `gp3`, at most 500 per GiB.
     * @default 3000 with `gp3`; required with `io1` and `io2` @see docs/aws-machines.md#disks
     */
    etcdDiskIops?: number;
    /**
     * Throughput of the etcd volumes, with `gp3` only: 125 to 2000, at most a quarter of the IOPS. Unit: MiB/s.
     * @default 125 @see docs/aws-machines.md#disks
     */
    etcdDiskThroughput?: number;
}

/** Each pool is an Auto Scaling group, or single instances if its nodes may become controllers. */
export interface AwsPoolOptions extends WorkerPoolOptions, AwsInstanceOptions {
    /**
     * Instance types to choose from, instead of `instanceType`, in order of preference. All must have the same
     * architecture; the group uses the types that are available.
     * @default one type @see docs/aws-pools.md
     */
    instanceTypes?: string[];
    /** Uses spot instances; may be `{}`. @default all instances are on demand @see docs/aws-pools.md */
    spot?: AwsSpotOptions;
    /**
     * With `max`: minimum number of instances. An autoscaler in the cluster then sets the size, and `count` is only the
     * initial size.
     * @default `count` @see docs/aws-pools.md
     */
    min?: number;
    /** Maximum number of instances. @default `count` */
    max?: number;
    /**
     * Letters of the zones of its instances, from the cluster's `zones`. Volumes of pods stay in their zone: with
     * `csiDriver`, pools that scale have one zone each.
     * @default the cluster's, or `subnetIds` @see docs/aws-pools.md#zones
     * @example ["a"]
     */
    zones?: string[];
    /**
     * Replaces instances, a few at a time, when their boot configuration changes; may be `{}`.
     * @default existing instances are not replaced @see docs/aws-pools.md
     */
    instanceRefresh?: AwsRefreshOptions;
}

export interface AwsSpotOptions {
    /** Number of instances that are on demand before any is spot: at most the pool's maximum. @default 0 */
    onDemandBase?: number;
    /** Percentage of the remaining instances that are on demand. @default 0 */
    onDemandPercentage?: number;
}

export interface AwsRefreshOptions {
    /** Minimum percentage of the group that stays in service. @default 100 */
    minHealthyPercentage?: number;
    /**
     * Maximum percentage of the group that may run. With more than 100, new instances start before old ones are
     * terminated. At most 100 more than the minimum.
     * @default 110
     */
    maxHealthyPercentage?: number;
    /** How long a new instance takes to join as a node: `90s`. @default "3m" */
    warmup?: string;
}

export interface AwsInstanceOptions {
    /**
     * Instance type; it implies the architecture: `t4g.medium` is arm64. For controllers, a type of the Nitro system,
     * as all current families are.
     * @default "t3.medium"
     */
    instanceType?: string;
    /** Overrides the cluster's `image`. @default the cluster's */
    image?: Input<string>;
    /** Size of the encrypted root volume: 10 or more. Unit: GiB. @default 30 */
    diskSize?: number;
    /** Type of the root volume: `gp3`, `gp2`, `io2` or `io1`. @default "gp3" @see docs/aws-machines.md#disks */
    diskType?: string;
    /**
     * IOPS of the root volume: 3000 to 80000 with `gp3`, at most 500 per GiB.
     * @default 3000 with `gp3`; required with `io1` and `io2` @see docs/aws-machines.md#disks
     */
    diskIops?: number;
    /**
     * Throughput of the root volume, with `gp3` only: 125 to 2000, at most a quarter of the IOPS. Unit: MiB/s.
     * @default 125 @see docs/aws-machines.md#disks
     */
    diskThroughput?: number;
    /**
     * What burstable instances (`t2`, `t3`, `t3a`, `t4g`) do without CPU credits: `unlimited` continue at full speed, at
     * a price; `standard` slow down.
     * @default EC2's: unlimited, except for `t2` @see docs/aws-machines.md#cpu-credits
     */
    cpuCredits?: string;
    /**
     * ARNs of IAM policies that are attached to the role of the instances: `arn:aws:iam::123456789012:policy/backup`.
     * @default none @see docs/aws-machines.md#roles
     */
    policies?: Input<string>[];
}
