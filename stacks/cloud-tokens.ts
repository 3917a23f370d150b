import * as pulumi from "@pulumi/pulumi";
import { requireTokens, type TokenHolders } from "../components/digitalocean/tokens";
import type { DigitalOceanTokens } from "../index";

/** The tokens of what runs in the cluster: secrets, whether the configuration marks them or not. */
export function cloudTokens(
    asked: TokenHolders,
    tokens: DigitalOceanTokens = {},
): { cloudTokens: pulumi.Input<DigitalOceanTokens> } {
    // Here, where they are plain, so that a preview tells which is missing.
    return { cloudTokens: pulumi.secret(requireTokens(asked, tokens)) };
}
