import * as pulumi from "@pulumi/pulumi";
import { AwsCluster } from "../components/aws/cluster";
import { awsDownloads } from "./cloud-downloads";
import { cloudOptions } from "./cloud-options";
import { clusterOutputs } from "./cluster-outputs";
import { readAwsConfig } from "./config";
import { userErrors } from "./user-errors";

/** The `aws` stack: a cluster on AWS. */
export function aws(): Record<string, pulumi.Input<unknown>> {
    const config = readAwsConfig();
    return clusterOutputs(
        userErrors(() => {
            const downloads = awsDownloads(config.downloads, config.kubernetesVersion);
            return new AwsCluster(pulumi.getStack(), { ...cloudOptions(config), downloads });
        }),
    );
}
