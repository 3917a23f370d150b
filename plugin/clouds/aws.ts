import { ComponentResource, type ComponentResourceOptions, type Input, type Output } from "@pulumi/pulumi";
import type { RegistryLogin } from "../../cluster/options";
import type { AwsSettings } from "../../components/aws/options";
import type { SharedArguments } from "./shared";

// Input of Pulumi's analyzer, which generates `schema.json` (`npm run reference`). None of this runs: `provider.ts` creates
// the components. Each field is an output.

/** A self-hosted Kubernetes cluster on AWS. */
export declare class AwsCluster extends ComponentResource {
    /** Administrator's kubeconfig. Secret. */
    readonly kubeconfig: Output<string>;
    /** For Kubernetes providers with that kubeconfig: while it stays the same, none replaces its resources. */
    readonly clusterIdentifier: Output<string>;
    readonly apiUrl: Output<string>;
    /** PEM of the Kubernetes CA certificate. */
    readonly ca: Output<string>;
    /** Nodes of the controllers. AWS names the workers. */
    readonly nodes: Output<string[]>;
    readonly kubernetesVersion: Output<string>;
    /** DNS name of the ingress load balancer; point your records at it. Missing without ingress. */
    readonly ingressName?: Output<string>;
    /** The `bucket` with etcd snapshots that outlives the cluster, and how to `copyKeys` of it and to `delete` it. Missing without any. */
    readonly retainedSnapshots?: Output<Record<string, string>>;
    readonly vpcId: Output<string>;
    /** Route tables of the nodes' subnets, for your own routes to other networks. Empty for an existing network. */
    readonly routeTableIds: Output<string[]>;
    /** ARNs of the instances' roles: of each pool, and of `controller`. */
    readonly roleArns: Output<Record<string, string>>;
    /** Issuer of service account tokens that IAM trusts. Missing without serviceAccountRoles. */
    readonly oidcIssuerUrl?: Output<string>;
    /** ARN of IAM's provider for it, for the trust policies of roles. Missing without serviceAccountRoles. */
    readonly oidcProviderArn?: Output<string>;
    /** The issuer's documents, by path below its URL. Missing without serviceAccountRoles. */
    readonly oidcDocuments?: Output<Record<string, string>>;
    /** Subnets of nodes. */
    readonly subnetIds: Output<string[]>;
    /** Subnets of load balancers. */
    readonly loadBalancerSubnetIds: Output<string[]>;
    /** The cluster's security groups, for rules that name them: `nodes`, `controllers`, `workers`, `load-balancer`. */
    readonly securityGroupIds: Output<Record<string, string>>;
    /** Expiry of each certificate by name: RFC 3339. */
    readonly certificateExpiry: Output<Record<string, string>>;

    constructor(name: string, args: AwsClusterArgs, opts?: ComponentResourceOptions);
}

export interface AwsClusterArgs extends SharedArguments, AwsSettings {
    /** Logins for `registryMirrors`, by their `registry`. */
    registryCredentials?: Input<Record<string, RegistryLogin>>;
}
