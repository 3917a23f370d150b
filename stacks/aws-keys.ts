import type { AwsControllerOptions, AwsOptions } from "../components/aws/options";
import type { CloudKeys, RegistryLoginKeys, Reshaped } from "./options";

/** Keys of a stack on AWS. Region and credentials are Pulumi's own `aws:region` and others. */
export interface AwsKeys extends CloudKeys<AwsControllerOptions>, Omit<AwsOptions, Reshaped | "region"> {
    /**
     * Logins for mirrors, by the `registry` of an entry of `registryMirrors`. Secrets: `pulumi config set --secret --path`.
     * @default none @see docs/node-networks.md#registry-mirrors
     */
    registryCredentials?: Record<string, RegistryLoginKeys>;
}
