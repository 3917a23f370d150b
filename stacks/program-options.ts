import * as pulumi from "@pulumi/pulumi";
import { isSecureByDefault, resolveDefaults } from "../cluster/defaults";
import { requireSnapshotSecrets } from "../cluster/etcd-snapshots";
import { requireTokens, type TokenHolders } from "../components/digitalocean/in-cluster";
import type {
    AwsCluster,
    DigitalOceanCluster,
    DigitalOceanTokens,
    EtcdSnapshotOptions,
    EtcdSnapshotSecrets,
    LocalCluster,
} from "../index";
import type { AwsConfig, DigitalOceanConfig, LocalConfig } from "./config";

/** The options of the cluster's program, except for downloads: the keys with the same names, some in another place. */
export function programOptions<Config extends LocalConfig | AwsConfig | DigitalOceanConfig>(config: Config) {
    const { cloud: _, name: __, downloads: ___, ...keys } = config as Config & { name?: string };
    const { podCidr, serviceCidr, podCidr6, serviceCidr6, clusterDomain, kubeProxyMode, ...others } = keys;
    const { keepConntrackLimits, ...options } = others;
    const network = { podCidr, serviceCidr, podCidr6, serviceCidr6, clusterDomain, kubeProxyMode, keepConntrackLimits };
    return { ...options, ...etcdSnapshots(config), network };
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

/** Stack outputs of a cluster. */
export function clusterOutputs(
    cluster: AwsCluster | DigitalOceanCluster | LocalCluster,
): Record<string, pulumi.Input<unknown>> {
    const { kubeconfig, apiUrl, ca, nodes, kubernetesVersion, certificateExpiry } = cluster;
    const ingressName = "ingressName" in cluster ? cluster.ingressName : undefined;
    return {
        ...{ kubeconfig, apiUrl, ca, nodes, kubernetesVersion, certificateExpiry },
        ...(ingressName && { ingressName }),
    };
}

/** Splits the snapshot settings, which the configuration keeps together, into options and secrets. */
export function etcdSnapshots({ etcdSnapshots: options, defaults }: Pick<LocalConfig, "etcdSnapshots" | "defaults">): {
    etcdSnapshots?: EtcdSnapshotOptions;
    etcdSnapshotSecrets?: pulumi.Input<EtcdSnapshotSecrets>;
} {
    if (options?.s3 === undefined) {
        return { etcdSnapshots: options as EtcdSnapshotOptions | undefined };
    }
    const { accessKeyId = "", secretAccessKey = "", encryptionKey, ...s3 } = options.s3;
    const { instanceRole: isByInstanceRole = false } = s3;
    const isSecure = isSecureByDefault(resolveDefaults(defaults)) && !isByInstanceRole;
    const { isEncrypted = isSecure || encryptionKey !== undefined } = s3;
    // Checked here, where they are plain values, so that a preview reports what is wrong with them.
    const secrets = { accessKeyId, secretAccessKey, encryptionKey };
    requireSnapshotSecrets({ s3: { isEncrypted, instanceRole: isByInstanceRole } }, secrets);
    return {
        etcdSnapshots: { ...options, s3: { ...s3, isEncrypted } },
        ...(!isByInstanceRole && {
            etcdSnapshotSecrets: pulumi.secret(secrets),
        }),
    };
}
