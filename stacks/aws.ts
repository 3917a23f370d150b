import * as pulumi from "@pulumi/pulumi";
import { AwsCluster, type AwsClusterArgs } from "../components/aws/cluster";
import { checked } from "../components/pulumi/errors";
import type { AwsKeys } from "./aws-keys";
import { readConfig } from "./config";
import { clusterOutputs, programOptions, type StackKeys, stackKeys } from "./program-options";

stackKeys satisfies StackKeys<AwsKeys, AwsClusterArgs>;

/** Program of an `aws` stack: a cluster on AWS. */
export function aws(name: string): Record<string, pulumi.Input<unknown>> {
    const config = readAwsConfig();
    const cluster = checked(() => new AwsCluster(name, programOptions(config)));
    const { roleArns, oidcIssuerUrl, oidcProviderArn, oidcDocuments } = cluster;
    return {
        ...clusterOutputs(cluster),
        roleArns,
        ...(oidcIssuerUrl && { oidcIssuerUrl, oidcProviderArn, oidcDocuments }),
    };
}

/** The region is in the configuration of Pulumi's provider. */
export function readAwsConfig() {
    const config = readConfig<AwsKeys>("AwsKeys");
    const region = new pulumi.Config("aws").get("region");
    if (!region) {
        throw new pulumi.RunError("aws:region must be a region code, such as eu-central-1 (got nothing)");
    }
    return { ...config, region };
}
