import type {
    DigitalOceanControllerOptions,
    DigitalOceanOptions,
    DigitalOceanTokens,
} from "../components/digitalocean/options";
import type { CloudKeys, Loose, Reshaped } from "./options";

/** Keys of a stack on DigitalOcean. The API token is Pulumi's own `digitalocean:token`. */
export interface DigitalOceanKeys
    extends CloudKeys<DigitalOceanControllerOptions>,
        Omit<DigitalOceanOptions, Reshaped | "image" | "sshKeys">,
        Loose<Pick<DigitalOceanOptions, "image" | "sshKeys">> {
    /**
     * Tokens of the DigitalOcean controllers in the cluster.
     * @default none @see docs/cloud-controllers.md#on-digitalocean
     */
    cloudTokens?: DigitalOceanTokens;
}
