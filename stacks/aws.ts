import type * as pulumi from "@pulumi/pulumi";
import { AwsCluster } from "../components/aws/cluster";
import { checked } from "../components/pulumi/errors";
import { readAwsConfig } from "./config";
import { clusterOutputs, programOptions } from "./program-options";

/** Program of an `aws` stack: a cluster on AWS. */
export function aws(name: string): Record<string, pulumi.Input<unknown>> {
    const config = readAwsConfig();
    return clusterOutputs(checked(() => new AwsCluster(name, programOptions(config))));
}
