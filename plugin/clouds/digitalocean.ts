import { ComponentResource, type ComponentResourceOptions, type Input, type Output } from "@pulumi/pulumi";
import type { DigitalOceanSettings, DigitalOceanTokens } from "../../components/digitalocean/options";
import type { SharedArguments } from "./shared";

// Input of Pulumi's analyzer, which generates `schema.json` (`npm run reference`). None of this runs: `provider.ts` creates
// the components. Each field is an output.

/** A self-hosted Kubernetes cluster on DigitalOcean. */
export declare class DigitalOceanCluster extends ComponentResource {
    /** Administrator's kubeconfig. Secret. */
    readonly kubeconfig: Output<string>;
    /** For Kubernetes providers with that kubeconfig: while it stays the same, none replaces its resources. */
    readonly clusterIdentifier: Output<string>;
    readonly apiUrl: Output<string>;
    /** PEM of the Kubernetes CA certificate. */
    readonly ca: Output<string>;
    readonly nodes: Output<string[]>;
    readonly kubernetesVersion: Output<string>;
    /** DNS name of the ingress load balancer; point your records at it. Missing without ingress. */
    readonly ingressName?: Output<string>;
    /** The `bucket` with etcd snapshots that outlives the cluster, and how to `copyKeys` of it and to `delete` it. Missing without any. */
    readonly retainedSnapshots?: Output<Record<string, string>>;
    /** Expiry of each certificate by name: RFC 3339. */
    readonly certificateExpiry: Output<Record<string, string>>;

    constructor(name: string, args: DigitalOceanClusterArgs, opts?: ComponentResourceOptions);
}

export interface DigitalOceanClusterArgs extends SharedArguments, DigitalOceanSettings {
    /** Tokens of the DigitalOcean controllers in the cluster. */
    cloudTokens?: Input<DigitalOceanTokens>;
}
