import { ComponentResource, type ComponentResourceOptions, type Output } from "@pulumi/pulumi";
import type { AwsClusterArgs, DigitalOceanClusterArgs } from "./args";

// What Pulumi's analyzer reads, for `schema.json`: `npm run reference`. Nothing of it runs: `provider.ts` makes the components
// themselves. Each field is an output.

/** A self-hosted Kubernetes cluster on AWS. */
export declare class AwsCluster extends ComponentResource {
    /** Administrator's kubeconfig. Secret. */
    readonly kubeconfig: Output<string>;
    readonly apiUrl: Output<string>;
    /** PEM of the Kubernetes CA certificate. */
    readonly ca: Output<string>;
    /** The controllers' nodes. Workers take their names from AWS. */
    readonly nodes: Output<string[]>;
    readonly kubernetesVersion: Output<string>;
    /** DNS name of what takes ingress, for names of yours to point to. Missing where there is none. */
    readonly ingressName?: Output<string>;
    readonly vpcId: Output<string>;
    /** Route tables of nodes' subnets, for ways of yours to other networks. None, of an existing network. */
    readonly routeTableIds: Output<string[]>;
    /** When each certificate ends, by its name: RFC 3339. */
    readonly certificateExpiry: Output<Record<string, string>>;

    constructor(name: string, args: AwsClusterArgs, opts?: ComponentResourceOptions);
}

/** A self-hosted Kubernetes cluster on DigitalOcean. */
export declare class DigitalOceanCluster extends ComponentResource {
    /** Administrator's kubeconfig. Secret. */
    readonly kubeconfig: Output<string>;
    readonly apiUrl: Output<string>;
    /** PEM of the Kubernetes CA certificate. */
    readonly ca: Output<string>;
    readonly nodes: Output<string[]>;
    readonly kubernetesVersion: Output<string>;
    /** DNS name of what takes ingress, for names of yours to point to. Missing where there is none. */
    readonly ingressName?: Output<string>;
    /** When each certificate ends, by its name: RFC 3339. */
    readonly certificateExpiry: Output<Record<string, string>>;

    constructor(name: string, args: DigitalOceanClusterArgs, opts?: ComponentResourceOptions);
}
