import * as pulumi from "@pulumi/pulumi";
import { DigitalOceanCluster } from "../components/digitalocean/cluster";
import { cloudDownloads } from "./cloud-downloads";
import { cloudOptions } from "./cloud-options";
import { clusterOutputs } from "./cluster-outputs";
import { readDigitalOceanConfig } from "./config";
import { userErrors } from "./user-errors";

/** The `digitalocean` stack: a cluster on DigitalOcean. */
export function digitalocean(name = pulumi.getStack()): Record<string, pulumi.Input<unknown>> {
    const config = readDigitalOceanConfig();
    return clusterOutputs(
        userErrors(() => {
            const downloads = cloudDownloads(config.downloads, config.kubernetesVersion);
            return new DigitalOceanCluster(name, { ...cloudOptions(config), downloads });
        }),
    );
}
