import type * as pulumi from "@pulumi/pulumi";
import { DigitalOceanCluster } from "../components/digitalocean/cluster";
import { checked } from "../components/pulumi/errors";
import { readDigitalOceanConfig } from "./config";
import { cloudTokens, clusterOutputs, programOptions } from "./program-options";

/** Program of a `digitalocean` stack: a cluster on DigitalOcean. */
export function digitalocean(name: string): Record<string, pulumi.Input<unknown>> {
    const config = readDigitalOceanConfig();
    return clusterOutputs(
        checked(() => {
            const { cloudController = false, csiDriver = false } = config;
            const tokens = cloudTokens({ cloudController, csiDriver }, config.cloudTokens);
            return new DigitalOceanCluster(name, { ...programOptions(config), ...tokens });
        }),
    );
}
