import type { NatGateway } from "@pulumi/aws/ec2/natGateway";
import type { RouteTable } from "@pulumi/aws/ec2/routeTable";
import type { Vpc } from "@pulumi/aws/ec2/vpc";
import type * as pulumi from "@pulumi/pulumi";
import type { Cidr } from "../../cluster/network/cidr";
import type { Ingress } from "../../cluster/network/ingress";
import type { Image } from "./machines/images";
import type { Architecture } from "./machines/instance-types";
import type { AwsPool } from "./machines/pools";
import type { PrivateZone } from "./network/private-zone";
import type { ZoneLetter } from "./network/subnets";

/** What a cluster's instances and network are like: validated, with every default filled in. */
export interface Aws extends Access {
    readonly region: string;
    /** How images take their configuration. */
    readonly os: "ignition" | "cloud-init";
    /** None in an existing network, whose subnets have theirs. */
    readonly zones: readonly ZoneLetter[];
    /** @default a VPC of its own */
    readonly existing?: ExistingNetwork;
    /** @default nothing of workers is let in */
    readonly ingress?: Ingress;
    /** Names of controllers that follow what they boot with. */
    readonly madeAnew: readonly string[];
    readonly hasCloudController: boolean;
    readonly hasCsiDriver: boolean;
    readonly hasClusterAutoscaler: boolean;
    /** Whether an agent asks EC2 for what kubelets' server certificates may be for. */
    readonly hasServingApprover: boolean;
    readonly autoscalerFlags: Readonly<Record<string, string>>;
    readonly vpcCidr: Cidr;
    /** By pool, `controller` among them. */
    readonly instances: Readonly<Record<string, AwsInstance>>;
    /** By the pool's name. */
    readonly pools: Readonly<Record<string, AwsPool>>;
    /** Unit: GiB. */
    readonly etcdDiskSize: number;
    /** Whether the stack makes the bucket of etcd's snapshots. */
    readonly hasSnapshotBucket: boolean;
    readonly tags: Readonly<Record<string, string>>;
}

/** What a pool's instances are. */
export interface AwsInstance {
    /** The first one of several. */
    readonly instanceType: string;
    readonly diskSize: number;
    readonly architecture: Architecture;
    readonly image: Image & { readonly option: string };
}

/** Who reaches whom: nodes the internet, and clients the API. */
export interface Access {
    readonly topology: "public" | "private";
    readonly natGateways: "one-per-zone" | "one" | "none";
    /** With none: services that get an endpoint beside those that are called anyway. */
    readonly vpcEndpoints: readonly string[];
    readonly apiAccess: "public" | "internal";
    /** @default the API's name is in a public one */
    readonly privateZone?: PrivateZone;
    /** @default everybody; of an internal API the VPC */
    readonly apiAllowedCidrs?: readonly string[];
    readonly hasIpv6: boolean;
}

/** What the owner brings. */
export interface ExistingNetwork {
    readonly vpcId: string;
    /** Where nodes are. */
    readonly subnetIds: readonly string[];
    /** Where the load balancer is. */
    readonly loadBalancerSubnetIds: readonly string[];
}

/** A subnet, the cluster's own or one that was there. */
export interface NetworkSubnet {
    readonly id: pulumi.Input<string>;
    readonly availabilityZone: pulumi.Input<string>;
}

export interface AwsNetwork {
    readonly vpc: {
        readonly id: pulumi.Input<string>;
        /** The one that AWS gave it. */
        readonly ipv6CidrBlock: pulumi.Input<string>;
    };
    /** The cluster's own VPC. @default it was there */
    readonly own?: Vpc;
    /** One of a zone, where the load balancer is: public ones, unless it is internal. */
    readonly loadBalancerSubnets: readonly NetworkSubnet[];
    /** Where nodes are: those, or private ones. */
    readonly nodeSubnets: readonly NetworkSubnet[];
    /** By which private nodes get out, by their zone. */
    readonly natGateways: Partial<Record<ZoneLetter, NatGateway>>;
    /** Those of nodes' subnets. None of a VPC that was there. */
    readonly routeTables: readonly RouteTable[];
    /** What has to be there before anything in a subnet reaches the internet, or its config at least. */
    readonly ways: readonly pulumi.Resource[];
}
