import * as pulumi from "@pulumi/pulumi";
import { requireSecretFiles } from "../../cluster/control-plane-files";
import { type ReadKey, requireGivenKeys } from "../../cluster/keys/given";
import type { Given } from "../../cluster/keys/lists";
import type { Cluster } from "../../cluster/model";
import type { ControlPlaneSecretFiles, GivenKeys, RegistryCredentials } from "../../cluster/options";
import { requireRegistryCredentials } from "../../cluster/registry-mirrors";

/** Secrets that users give, and that the cluster's options name. */
export interface GivenSecrets {
    readonly cluster: Cluster;
    /** Contents of the secret files that the cluster's options name, issued like its own secrets. @default none */
    readonly secretFiles?: pulumi.Input<ControlPlaneSecretFiles>;
    /** Logins that machines get for registry mirrors. @default none */
    readonly registryCredentials?: pulumi.Input<RegistryCredentials>;
    /** The CAs and keys that the cluster's options name. @default none */
    readonly givenKeys?: pulumi.Input<GivenKeys>;
}

/** Checked at once where they are plain values or missing, so that a preview reports what is wrong with them. */
export function secretFilesOf({ cluster, secretFiles }: GivenSecrets): pulumi.Output<ControlPlaneSecretFiles> {
    const check = (contents?: ControlPlaneSecretFiles) => requireSecretFiles(cluster.controlPlaneFiles, contents);
    if (secretFiles === undefined) check();
    return pulumi.secret(pulumi.output(secretFiles).apply(check));
}

/** The user's own CAs and keys, checked in the same way. */
export function givenKeysOf({ cluster, givenKeys }: GivenSecrets): pulumi.Output<Given<ReadKey>> {
    const check = (given?: GivenKeys) => requireGivenKeys(cluster.keys, given);
    if (givenKeys === undefined) check();
    return pulumi.secret(pulumi.output(givenKeys).apply(check)) as pulumi.Output<Given<ReadKey>>;
}

/** Logins for registry mirrors, checked in the same way. */
export function registryCredentialsOf({ cluster, registryCredentials }: GivenSecrets) {
    if (registryCredentials === undefined) return undefined;
    const check = (given: RegistryCredentials) => requireRegistryCredentials(cluster.registryMirrors ?? [], given);
    return pulumi.secret(pulumi.output(registryCredentials).apply(check));
}

/** Whether the cluster's options name secret files. */
export function hasSecretFiles({ controlPlaneFiles }: Cluster): boolean {
    return Object.values(controlPlaneFiles).some(({ secretFiles }) => secretFiles.length > 0);
}
