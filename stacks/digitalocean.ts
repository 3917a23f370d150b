import type * as pulumi from "@pulumi/pulumi";
import { DigitalOceanCluster } from "../components/digitalocean/cluster";
import { userErrors } from "./check-config";
import { cloudOptions, cloudTokens, clusterOutputs } from "./cloud-options";
import { readDigitalOceanConfig } from "./config";
import { cloudDownloads } from "./downloads";

/** Program of a `digitalocean` stack: a cluster on DigitalOcean. */
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
