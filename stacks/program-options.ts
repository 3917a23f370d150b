import * as pulumi from "@pulumi/pulumi";
import { requireSecretFiles, resolveControlPlaneFiles } from "../cluster/control-plane-files";
import { requireSnapshotSecrets, snapshotKeys } from "../cluster/etcd-snapshots";
import { fingerprintsOf, requireGivenKeys } from "../cluster/keys/given";
import { resolveKeys } from "../cluster/keys/lists";
import { requireLogHeaders, resolveLogs } from "../cluster/logs";
import { type KeysOf, splitOptions } from "../cluster/option-keys";
import type { ControllerOptions, NetworkOptions, RegistryCredentials } from "../cluster/options";
import { requireRegistryCredentials, resolveRegistryMirrors } from "../cluster/registry-mirrors";
import { requireWindows } from "../cluster/weekly-windows";
import type {
    ControlPlaneFileOptions,
    ControlPlaneSecretFiles,
    EtcdSnapshotOptions,
    EtcdSnapshotSecrets,
    LocalClusterArgs,
} from "../index";
import type { StackConfig } from "./config";
import type { CloudKeys, LocalKeys } from "./options";

/** The keys that are options of `network`. */
export const networkKeys = {
    clusterDomain: true,
    cni: true,
    controllerGuard: true,
    dns: true,
    keepConntrackLimits: true,
    kubeProxyMode: true,
    networkPolicies: true,
    podCidr: true,
    podCidr6: true,
    serviceCidr: true,
    serviceCidr6: true,
} satisfies KeysOf<keyof NetworkOptions>;

/** The keys of `etcdSnapshots.s3` that are secrets. */
export const snapshotSecretKeys = {
    accessKeyId: true,
    encryptionKey: true,
    secretAccessKey: true,
} satisfies KeysOf<keyof EtcdSnapshotSecrets>;

/** The keys that are only for the stack. */
export const stackKeys = {
    cloud: true,
    name: true,
    otherKubelets: true,
    updateChannel: true,
    updateWindows: true,
} satisfies StackKeys<LocalKeys & CloudKeys<ControllerOptions>, LocalClusterArgs>;

/** Those of `Keys` that no program with the arguments `Args` takes. */
export type StackKeys<Keys, Args> = KeysOf<Exclude<keyof Keys, keyof Args | keyof NetworkOptions>>;

/** The options of the cluster's program: the keys with the same names, some in another place. */
export function programOptions<Config extends StackConfig>(config: Config) {
    const [{ updateWindows = [] }, keys] = splitOptions(config, stackKeys);
    requireWindows("updateWindows", updateWindows);
    const [network, options] = splitOptions(keys, networkKeys);
    return {
        ...options,
        ...etcdSnapshots(config),
        ...controlPlaneFiles(config),
        ...registryCredentials(config),
        ...givenKeys(config),
        ...logHeaders(config),
        network,
    };
}

type CommonOutput =
    | "kubeconfig"
    | "clusterIdentifier"
    | "apiUrl"
    | "ca"
    | "nodes"
    | "kubernetesVersion"
    | "certificateExpiry";

interface AnyCluster extends Readonly<Record<CommonOutput, pulumi.Input<unknown>>> {
    readonly ingressName?: pulumi.Input<unknown>;
    readonly retainedSnapshots?: pulumi.Input<unknown>;
}

/** Stack outputs of a cluster. */
export function clusterOutputs(cluster: AnyCluster): Record<string, pulumi.Input<unknown>> {
    const { kubeconfig, clusterIdentifier, apiUrl, ca, nodes, kubernetesVersion, certificateExpiry } = cluster;
    const { ingressName, retainedSnapshots } = cluster;
    return {
        ...{ kubeconfig, clusterIdentifier, apiUrl, ca, nodes, kubernetesVersion, certificateExpiry },
        ...(ingressName !== undefined && { ingressName }),
        ...(retainedSnapshots !== undefined && { retainedSnapshots }),
    };
}

/** Splits the snapshot settings, which the configuration keeps together, into options and secrets. */
export function etcdSnapshots({ etcdSnapshots: options }: Pick<StackConfig, "etcdSnapshots">): {
    etcdSnapshots?: EtcdSnapshotOptions;
    etcdSnapshotSecrets?: pulumi.Input<EtcdSnapshotSecrets>;
} {
    if (options?.s3 === undefined) {
        return { etcdSnapshots: options as EtcdSnapshotOptions | undefined };
    }
    const [given, s3] = splitOptions(options.s3, snapshotSecretKeys);
    const { accessKeyId = "", secretAccessKey = "", encryptionKey } = given;
    const { instanceRole = false, isEncrypted = true } = s3;
    // Checked here, where they are plain values, so that a preview reports what is wrong with them.
    const secrets = { accessKeyId, secretAccessKey, encryptionKey };
    const keys = snapshotKeys({ ...options, s3 });
    requireSnapshotSecrets({ keys, s3: { isEncrypted, instanceRole } }, secrets);
    const own = { ...(encryptionKey !== undefined && { encryptionKey }) };
    const needed = instanceRole ? (isEncrypted ? own : {}) : { accessKeyId, secretAccessKey, ...own };
    return {
        etcdSnapshots: { ...options, s3: { ...s3, isEncrypted } },
        ...(Object.keys(needed).length > 0 && { etcdSnapshotSecrets: pulumi.secret(needed) }),
    };
}

/** Logins for registry mirrors, which are secrets even if the configuration does not mark them so. */
function registryCredentials(config: StackConfig): {
    registryCredentials?: pulumi.Input<RegistryCredentials>;
} {
    if (config.registryCredentials === undefined) return {};
    // Checked here, where they are plain values, so that a preview reports what is wrong with them.
    const mirrors = resolveRegistryMirrors(config.registryMirrors ?? []);
    return { registryCredentials: pulumi.secret(requireRegistryCredentials(mirrors, config.registryCredentials)) };
}

/** HTTP headers for a server of logs, which are secrets even if the configuration does not mark them so. */
function logHeaders({ logs, auditLog, logHeaders: given }: StackConfig): Pick<LocalClusterArgs, "logHeaders"> {
    if (given === undefined) return {};
    // Checked here, where they are plain values, so that a preview reports what is wrong with them.
    return { logHeaders: pulumi.secret(requireLogHeaders(logs && resolveLogs(logs, auditLog), given)) };
}

/** The user's own CAs and keys, which are secrets, and their fingerprints as options. */
function givenKeys({ keys, givenKeys: given }: StackConfig): Pick<LocalClusterArgs, "keys" | "givenKeys"> {
    if (given === undefined) return {};
    const options = { ...keys, given: fingerprintsOf(given) };
    // Checked here, where they are plain values, so that a preview reports what is wrong with them.
    requireGivenKeys(resolveKeys(options), given);
    return { keys: options, givenKeys: pulumi.secret(given) };
}

/** Splits the files, which the configuration keeps together, into options and secrets. */
export function controlPlaneFiles({ controlPlaneFiles: keys }: Pick<StackConfig, "controlPlaneFiles">): {
    controlPlaneFiles?: ControlPlaneFileOptions;
    controlPlaneSecretFiles?: pulumi.Input<ControlPlaneSecretFiles>;
} {
    if (keys === undefined) return {};
    const components = Object.entries(keys).map(([component, { secretFiles: contents = {}, ...others }]) => ({
        options: [component, { ...others, secretFiles: Object.keys(contents) }] as const,
        contents: [component, contents] as const,
    }));
    const options: ControlPlaneFileOptions = Object.fromEntries(components.map((each) => each.options));
    const contents: ControlPlaneSecretFiles = Object.fromEntries(components.map((each) => each.contents));
    // Checked here, where they are plain values, so that a preview reports what is wrong with them.
    requireSecretFiles(resolveControlPlaneFiles(options), contents);
    return { controlPlaneFiles: options, controlPlaneSecretFiles: pulumi.secret(contents) };
}
