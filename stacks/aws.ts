import type * as pulumi from "@pulumi/pulumi";
import { AwsCluster } from "../components/aws/cluster";
import { awsDownloads } from "./cloud-downloads";
import { cloudOptions } from "./cloud-options";
import { clusterOutputs } from "./cluster-outputs";
import { readAwsConfig } from "./config";
import { userErrors } from "./user-errors";

/** The `aws` stack: a cluster on AWS. */
export function aws(name: string): Record<string, pulumi.Input<unknown>> {
    const config = readAwsConfig();
    return clusterOutputs(
        userErrors(() => {
            const downloads = awsDownloads(config.downloads, config.kubernetesVersion);
            return new AwsCluster(name, { ...cloudOptions(config), downloads });
        }),
    );
}
