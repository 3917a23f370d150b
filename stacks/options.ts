import type { OutputInstance } from "@pulumi/pulumi";
import type { Download } from "../cluster/downloads";
import type {
    CommonOptions,
    ComponentFileOptions,
    ControllerOptions,
    EtcdS3Options,
    EtcdSnapshotOptions,
    EtcdSnapshotSecrets,
    NetworkOptions,
} from "../cluster/options";
import type { UpdateChannel } from "../cluster/upgrades/update-channel";
import type { AwsControllerOptions, AwsOptions } from "../components/aws/options";
import type {
    DigitalOceanControllerOptions,
    DigitalOceanOptions,
    DigitalOceanTokens,
} from "../components/digitalocean/options";
import type { LocalOptions } from "../components/local/options";

// The keys `tradewind:<key>` of stacks: the options of programs, by the same names, and a few of their own. From these
// types, `npm run reference` derives `schema.json`, which configurations are checked against, and docs/reference.md.
//
// For shorter commands, the options of `network` are at the top, the secrets of `etcdSnapshots.s3` are next to its other
// keys, and downloads are by default from where projects publish them.

/** Text that Pulumi stores as a number or a boolean if it looks like one: `2`, `true`. */
type Text = string | number | boolean;

/** Options whose text may look like a number or a boolean. */
type Loose<Options> = Options extends string
    ? Text
    : Options extends Late
      ? never
      : { [Name in keyof Options]: Loose<Options[Name]> };

/** Keys of a stack as they are read: with text as text, and with an object of controllers. */
export type Read<Keys> = {
    [Key in keyof Keys]: ReadValue<Key extends "controllers" ? Exclude<Keys[Key], number> : Keys[Key]>;
};

type ReadValue<Value> = [Text] extends [Value]
    ? string | Extract<Value, undefined>
    : Value extends Late
      ? never
      : Value extends object
        ? { [Key in keyof Value]: ReadValue<Value[Key]> }
        : Value;

/** What a program may give instead of a value, but no configuration has. */
type Late = OutputInstance<unknown> | Promise<unknown>;

interface SharedKeys<Controllers>
    extends Omit<CommonOptions, "network" | "components" | "controlPlaneFiles" | "etcdSnapshots">,
        Loose<Pick<CommonOptions, "components">>,
        NetworkOptions {
    /** Where the machines run: `local`, `aws` or `digitalocean`. @default "local" */
    cloud?: string;
    /** How many controllers: 1, 3 or 5. Or an object with the keys below. @default 1 */
    controllers?: number | Controllers;
    controlPlaneFiles?: ControlPlaneFileKeys;
    etcdSnapshots?: EtcdSnapshotKeys;
    /**
     * Updates that `tradewind updates` offers: `patch` for its own minor version, `minor` to include the next one, or
     * `none`.
     * @default "none" @see docs/upgrades.md#find-newer-versions
     */
    updateChannel?: UpdateChannel;
}

/** Options that are declared here in another form. */
type Reshaped = keyof CommonOptions | "controllers" | "downloads";

interface CloudKeys<Controllers> extends SharedKeys<Controllers> {
    /** Cluster name: a DNS label. It cannot be changed, even when the stack is renamed. @default the stack's name */
    name?: string;
}

/** Keys of a local stack. */
export interface LocalKeys extends SharedKeys<ControllerOptions>, Omit<LocalOptions, Reshaped> {
    /**
     * Logins for mirrors, by the `registry` of an entry of `registryMirrors`. Secrets: `pulumi config set --secret --path`.
     * @default none @see docs/node-networks.md#registry-mirrors
     */
    registryCredentials?: Record<string, RegistryLoginKeys>;
    /**
     * Whether kube-proxy leaves the kernel's connection tracking limits unchanged, as it must in a container.
     * @default true
     */
    keepConntrackLimits?: boolean;
    /**
     * Additional kubelet versions that a node annotation can select. Each must be in the cache.
     * @default none @see docs/kubelets.md
     */
    otherKubelets?: string[];
    /** Downloads that do not come from the cluster's own mirror. @default none */
    downloads?: LocalDownloadKeys;
}

/** Keys of a stack on AWS. Region and credentials are Pulumi's own `aws:region` and others. */
export interface AwsKeys extends CloudKeys<AwsControllerOptions>, Omit<AwsOptions, Reshaped | "region"> {
    /**
     * Logins for mirrors, by the `registry` of an entry of `registryMirrors`. Secrets: `pulumi config set --secret --path`.
     * @default none @see docs/node-networks.md#registry-mirrors
     */
    registryCredentials?: Record<string, RegistryLoginKeys>;
    /** Where machines download the kubelet, CNI plugins and images. */
    downloads: AwsDownloadKeys;
}

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
    /** Where machines download the kubelet, CNI plugins and images. */
    downloads: CloudDownloadKeys;
}

interface RegistryLoginKeys {
    /** A secret. */
    username: string;
    /** A secret. */
    password: string;
}

/** When etcd snapshots are taken and which are kept. @see docs/etcd.md#snapshots */
export interface EtcdSnapshotKeys extends Omit<EtcdSnapshotOptions, "s3"> {
    /** Each snapshot is also uploaded here. @default none */
    s3?: EtcdS3Options & Partial<EtcdSnapshotSecrets>;
}

/**
 * Files and host directories in the pods of control-plane components, for flags that name them.
 * @see docs/control-plane-files.md
 */
export interface ControlPlaneFileKeys {
    /** Of kube-apiserver. @default none */
    kubeApiserver?: ComponentFileKeys;
    /** Of kube-controller-manager. @default none */
    kubeControllerManager?: ComponentFileKeys;
    /** Of kube-scheduler. @default none */
    kubeScheduler?: ComponentFileKeys;
}

interface ComponentFileKeys
    extends Omit<ComponentFileOptions, "files" | "secretFiles">,
        Loose<Pick<ComponentFileOptions, "files">> {
    /**
     * Contents of secret files by name, in `/etc/kubernetes/secret-files`. Secrets: `pulumi config set --secret --path`.
     * @default {}
     */
    secretFiles?: Record<string, Text>;
}

interface LocalDownloadKeys {
    /** CNI plugins of new and existing machines. @default the ones in the cache @see docs/runtime-upgrades.md#cni-plugins */
    cniPlugins?: Download;
    /**
     * Additional archives of CNI plugins, which a node annotation can select by SHA-256.
     * @default none @see docs/runtime-upgrades.md#cni-plugins
     */
    otherCniPlugins?: Download[];
}

/** A kubelet. Its version is that of the cluster or the key of `otherKubelets`. */
interface PublishedKubelet {
    /** URLs of the kubelet, tried in order. @minItems 1 @default where Kubernetes publishes it */
    urls?: string[];
    /**
     * SHA-256 of `https://dl.k8s.io/v<version>/bin/linux/<architecture>/kubelet`, as published next to it. Machines
     * refuse any other file.
     * @format sha256
     */
    sha256: string;
}

interface PublishedRuntime {
    /** containerd 2 or newer. */
    containerd: {
        /** URLs of a containerd release archive. @minItems 1 @default the pinned release, where containerd publishes it */
        urls?: string[];
        /** SHA-256 of the archive, as published next to it. @format sha256 */
        sha256: string;
    };
    /** The OCI runtime of containerd. */
    runc: {
        /** URLs of the binary. @minItems 1 @default the pinned release, where runc publishes it */
        urls?: string[];
        /** SHA-256 of the binary, as published in `runc.sha256sum`. @format sha256 */
        sha256: string;
    };
}

/** Downloads of machines of one architecture. */
export interface MachineDownloadKeys {
    /** The kubelet of the cluster's version. */
    kubelet: PublishedKubelet;
    /**
     * Additional kubelets by version, which a node annotation can select. Each has the form of `kubelet`.
     * @default none @see docs/kubelets.md#one-node-first
     */
    otherKubelets?: Record<string, PublishedKubelet>;
    /** CNI plugins of new and existing machines. @default the pinned release, where it is published */
    cniPlugins?: Download;
    /**
     * Additional archives of CNI plugins, which a node annotation can select by SHA-256.
     * @default none @see docs/runtime-upgrades.md#cni-plugins
     */
    otherCniPlugins?: Download[];
    /**
     * containerd and runc for new and existing machines whose OS image has none, with `os: cloud-init`.
     * @default the ones in the image @see docs/configuration.md#container-runtime
     */
    containerRuntime?: PublishedRuntime;
    /**
     * Additional container runtimes, which a node annotation can select by SHA-256. Each has the form of
     * `containerRuntime`.
     * @default none @see docs/runtime-upgrades.md#containerd
     */
    otherContainerRuntimes?: PublishedRuntime[];
}

export interface CloudDownloadKeys extends MachineDownloadKeys {
    /** Base URL of a registry that mirrors every image. @default each image's own registry */
    registryMirror?: string;
}

/** Downloads of arm64 machines on AWS. */
interface AwsMachineDownloadKeys extends MachineDownloadKeys {
    /**
     * With `ecrPulls`: the kubelet's credential provider of arm64 machines.
     * @default the pinned release, where Kubernetes publishes it @see docs/aws-machines.md#pulls-from-ecr
     */
    ecrCredentialProvider?: Download;
}

/** AWS has machines of both architectures. */
export interface AwsDownloadKeys extends Omit<CloudDownloadKeys, "kubelet"> {
    /** The kubelet of amd64 machines, if there are any. The keys next to it are also for amd64. */
    kubelet?: PublishedKubelet;
    /**
     * With `ecrPulls`: the kubelet's credential provider of amd64 machines.
     * @default the pinned release, where Kubernetes publishes it @see docs/aws-machines.md#pulls-from-ecr
     */
    ecrCredentialProvider?: Download;
    /** Downloads of arm64 machines, if there are any. */
    arm64?: AwsMachineDownloadKeys;
}
