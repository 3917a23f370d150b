import type { NatGateway } from "@pulumi/aws/ec2/natGateway";
import type { RouteTable } from "@pulumi/aws/ec2/routeTable";
import type { Vpc } from "@pulumi/aws/ec2/vpc";
import type * as pulumi from "@pulumi/pulumi";
import type { Cidr } from "../../cluster/network/cidr";
import type { PublicIssuer } from "../../cluster/options";
import type { AwsDisk, CpuCredits } from "./machines/disks";
import type { Image } from "./machines/images";
import type { Architecture } from "./machines/instance-types";
import type { AwsPool } from "./machines/pools";
import type { ApiHealthCheck } from "./network/health-check";
import type { PrivateZone } from "./network/hosted-zones";
import type { AwsIngress } from "./network/ingress";
import type { ZoneLetter } from "./network/subnets";

/** Instances and network of a cluster: validated, with all defaults applied. */
export interface Aws extends Access {
    readonly region: string;
    /** How images are configured. */
    readonly os: "ignition" | "cloud-init";
    /** None in an existing network, whose subnets have their own. */
    readonly zones: readonly ZoneLetter[];
    /** @default a VPC is created */
    readonly existing?: ExistingNetwork;
    /** @default no traffic to workers is allowed */
    readonly ingress?: AwsIngress;
    /** How load balancers check controllers. */
    readonly apiHealthCheck: ApiHealthCheck;
    readonly inboundRules: readonly InboundRule[];
    /** Names of controllers that are replaced when their boot configuration changes. */
    readonly recreate: readonly string[];
    readonly cloudController: boolean;
    readonly csiDriver: boolean;
    readonly volumeSnapshots: boolean;
    readonly autoscaler: boolean;
    /** Whether an agent looks up instances in EC2 to approve kubelet serving certificates. */
    readonly hasServingApprover: boolean;
    /** Whether an agent repairs machines. */
    readonly hasRepairer: boolean;
    readonly autoscalerFlags: Readonly<Record<string, string>>;
    readonly vpcCidr: Cidr;
    /** By pool, including `controller`. */
    readonly instances: Readonly<Record<string, AwsInstance>>;
    /** Pools that are Auto Scaling groups, by name. */
    readonly pools: Readonly<Record<string, AwsPool>>;
    /** Pools of single instances, which may become controllers, by name. */
    readonly candidatePools: Readonly<Record<string, CandidatePool>>;
    readonly etcdDisk: AwsDisk;
    /** ARN of the key that encrypts volumes. @default AWS' own key for EBS */
    readonly kmsKeyId?: pulumi.Input<string>;
    /** @default pods have no roles */
    readonly tokenIssuer?: TokenIssuer;
    /** Whether kubelets of new machines have passwords for registries in ECR. */
    readonly ecrPulls: boolean;
    /** ARN of the policy that limits every role. @default none */
    readonly permissionsBoundary?: pulumi.Input<string>;
    /** The bucket for etcd snapshots, if the stack creates it. @default none */
    readonly snapshotBucket?: { readonly retained: boolean };
    readonly tags: Readonly<Record<string, pulumi.Input<string>>>;
}

/** The issuer of tokens that IAM trusts, and where its documents are. */
export interface TokenIssuer extends PublicIssuer {
    /** Name of the bucket that the stack creates. @default the user publishes them */
    readonly bucket?: string;
}

/** Instances of a pool. */
export interface AwsInstance {
    /** The first one of several. */
    readonly instanceType: string;
    readonly disk: AwsDisk;
    /** @default EC2's own */
    readonly cpuCredits?: CpuCredits;
    /** ARNs of managed policies of the role. */
    readonly policies: readonly pulumi.Input<string>[];
    readonly architecture: Architecture;
    readonly image: Image & { readonly option: string };
}

/** Instances of a pool that the stack names. */
export interface CandidatePool extends Pick<AwsPool, "zones"> {
    /** With the pool's options: `workerPools[0]`. */
    readonly option: string;
}

/** Inbound traffic that the user allows. */
export interface InboundRule {
    readonly protocol: "tcp" | "udp";
    readonly ports: readonly [first: number, last: number];
    /** Part of the name of its resource, which must be known at preview. */
    readonly name: string;
    /** `nodes`, an IPv4 block or the id of a security group. An output is an id. */
    readonly from: pulumi.Input<string>;
    readonly to: "nodes" | "controllers" | "workers";
}

/** Network access: from nodes to the internet, and from clients to the API. */
export interface Access {
    readonly topology: "public" | "private";
    readonly natGateways: "one-per-zone" | "one" | "none";
    /** Without NAT gateways: services that get an endpoint in addition to those that are always needed. */
    readonly vpcEndpoints: readonly string[];
    /** Whether nodes reach S3 in the region by an endpoint. */
    readonly s3Endpoint: boolean;
    readonly apiAccess: "public" | "internal";
    /** Whether nodes reach a public API by a load balancer of their own, or by that of all clients. */
    readonly nodeApiAccess: "shared" | "internal";
    /** @default the API's name is in a public zone */
    readonly privateZone?: PrivateZone;
    /** Id of the public hosted zone. @default it is looked up by its name */
    readonly publicZone?: pulumi.Input<string>;
    /** @default all addresses; for an internal API, the VPC */
    readonly apiAllowedCidrs?: readonly string[];
    readonly ipv6: boolean;
}

/** The user's own network. */
export interface ExistingNetwork {
    readonly vpcId: pulumi.Input<string>;
    /** Subnets of nodes. */
    readonly subnetIds: readonly pulumi.Input<string>[];
    /** Subnets of the load balancer. */
    readonly loadBalancerSubnetIds: readonly pulumi.Input<string>[];
    /** Security groups of nodes in addition to the cluster's. */
    readonly securityGroupIds: readonly pulumi.Input<string>[];
}

/** A subnet, created by the stack or existing. */
export interface NetworkSubnet {
    readonly id: pulumi.Input<string>;
    readonly availabilityZone: pulumi.Input<string>;
}

export interface AwsNetwork {
    readonly vpc: {
        readonly id: pulumi.Input<string>;
        /** Assigned by AWS. */
        readonly ipv6CidrBlock: pulumi.Input<string>;
    };
    /** VPC created by the stack. @default it existed before */
    readonly own?: Vpc;
    /** One per zone, for the load balancer: public, unless the API is internal. */
    readonly loadBalancerSubnets: readonly NetworkSubnet[];
    /** The user's own security groups of nodes. */
    readonly securityGroupIds: readonly pulumi.Input<string>[];
    /** Subnets of nodes: the same ones, or private ones. */
    readonly nodeSubnets: readonly NetworkSubnet[];
    /**
     * Whether instances of private nodes must refuse the public addresses that a subnet assigns.
     * @default false: its subnets assign what the topology says
     */
    readonly hidesNodes?: pulumi.Output<boolean>;
    /** Gateways of private nodes, by zone. */
    readonly natGateways: Partial<Record<ZoneLetter, NatGateway>>;
    /** Route tables of the nodes' subnets. Empty for an existing VPC. */
    readonly routeTables: readonly RouteTable[];
    /** What must exist before anything in a subnet reaches the internet, or at least its config. */
    readonly ways: readonly pulumi.Resource[];
}
