import * as pulumi from "@pulumi/pulumi";
import { DigitalOceanCluster, type DigitalOceanClusterArgs } from "../components/digitalocean/cluster";
import { requireTokens, type TokenHolders } from "../components/digitalocean/in-cluster";
import { checked } from "../components/pulumi/errors";
import type { DigitalOceanTokens } from "../index";
import { readConfig } from "./config";
import type { DigitalOceanKeys } from "./digitalocean-keys";
import { clusterOutputs, programOptions, type StackKeys, stackKeys } from "./program-options";

stackKeys satisfies StackKeys<DigitalOceanKeys, DigitalOceanClusterArgs>;

/** Program of a `digitalocean` stack: a cluster on DigitalOcean. */
export function digitalocean(name: string): Record<string, pulumi.Input<unknown>> {
    const config = readConfig<DigitalOceanKeys>("DigitalOceanKeys");
    return clusterOutputs(
        checked(() => {
            const { cloudController = false, csiDriver = false, repair } = config;
            const holders = { cloudController, csiDriver, repair: repair !== undefined };
            const tokens = cloudTokens(holders, config.cloudTokens);
            return new DigitalOceanCluster(name, { ...programOptions(config), ...tokens });
        }),
    );
}

/**
 * Tokens of the cloud's controllers in the cluster. They are secrets even if the configuration does not mark them so.
 */
export function cloudTokens(
    asked: TokenHolders,
    tokens: DigitalOceanTokens = {},
): { cloudTokens: pulumi.Input<DigitalOceanTokens> } {
    // Checked here, where they are plain values, so that a preview reports a missing one.
    return { cloudTokens: pulumi.secret(requireTokens(asked, tokens)) };
}
