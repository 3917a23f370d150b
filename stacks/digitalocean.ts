import type * as pulumi from "@pulumi/pulumi";
import { DigitalOceanCluster } from "../components/digitalocean/cluster";
import { cloudDownloads } from "./cloud-downloads";
import { cloudOptions } from "./cloud-options";
import { cloudTokens } from "./cloud-tokens";
import { clusterOutputs } from "./cluster-outputs";
import { readDigitalOceanConfig } from "./config";
import { userErrors } from "./user-errors";

/** The `digitalocean` stack: a cluster on DigitalOcean. */
export function digitalocean(name: string): Record<string, pulumi.Input<unknown>> {
    const config = readDigitalOceanConfig();
    return clusterOutputs(
        userErrors(() => {
            const downloads = cloudDownloads(config.downloads, config.kubernetesVersion);
            const { hasCloudController = false, hasCsiDriver = false } = config;
            const tokens = cloudTokens({ hasCloudController, hasCsiDriver }, config.cloudTokens);
            return new DigitalOceanCluster(name, { ...cloudOptions(config), ...tokens, downloads });
        }),
    );
}
