import type { OutputInstance } from "@pulumi/pulumi";
import type { KubeletDownload } from "../cluster/cloud-downloads";
import type { CloudName } from "../cluster/clouds";
import type { Download } from "../cluster/downloads";
import type {
    CommonOptions,
    ComponentFileOptions,
    ControllerOptions,
    EtcdS3Options,
    EtcdSnapshotOptions,
    EtcdSnapshotSecrets,
    GivenKeys,
    KeyOptions,
    NetworkOptions,
} from "../cluster/options";
import type { UpdateChannel } from "../cluster/upgrades/update-channel";
import type { LocalOptions } from "../components/local/options";

// The keys `tradewind:<key>` of stacks: the options of programs, by the same names, and a few of their own. From these
// types and those of each cloud, such as `AwsKeys` in aws-keys.ts, `npm run reference` derives `schema.json`, which configurations are checked against, and docs/reference.md.
//
// For shorter commands, the options of `network` are at the top, and the secrets of `etcdSnapshots.s3` are next to its
// other keys.

/** Text that Pulumi stores as a number or a boolean if it looks like one: `2`, `true`. */
type Text = string | number | boolean;

/** Options whose text may look like a number or a boolean. */
export type Loose<Options> = Options extends string
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

export interface SharedKeys<Controllers>
    extends Omit<CommonOptions, "network" | "components" | "controlPlaneFiles" | "etcdSnapshots">,
        Loose<Pick<CommonOptions, "components">>,
        NetworkOptions {
    /** Where the machines run. @default "local" */
    cloud?: "local" | CloudName;
    /** How many controllers: 1, 3 or 5. Or an object with the keys below. @default 1 */
    controllers?: number | Controllers;
    controlPlaneFiles?: ControlPlaneFileKeys;
    etcdSnapshots?: EtcdSnapshotKeys;
    keys?: KeyListKeys;
    /**
     * CAs and keys of your own, by generation. Secrets: `pulumi config set --secret --path`.
     * @default none @see docs/key-rotation.md#your-own-cas
     */
    givenKeys?: GivenKeys;
    /**
     * HTTP headers for the server of `logs`, by name: a token, or the name of a tenant. Secrets:
     * `pulumi config set --secret --path`.
     * @default none @see docs/logs.md
     */
    logHeaders?: Record<string, Text>;
    /**
     * Updates that `tradewind updates` offers: `patch` for its own minor version, `minor` to include the next one, or
     * `none`.
     * @default "none" @see docs/upgrades.md#find-newer-versions
     */
    updateChannel?: UpdateChannel;
    /**
     * Weekly windows, in UTC, in which `tradewind updates --apply` may start an update: `Sun 02:00-05:00`,
     * `Mon-Fri 22:00-02:00`, or `02:00-05:00` for every day.
     * @default at any time @see docs/upgrades.md#updates-by-themselves
     */
    updateWindows?: string[];
}

/** Options that are declared here in another form. */
export type Reshaped = keyof CommonOptions | "controllers" | "keys";

export interface CloudKeys<Controllers> extends SharedKeys<Controllers> {
    /** Cluster name: a DNS label. It cannot be changed, even when the stack is renamed. @default the stack's name */
    name?: string;
}

/** Keys of a local stack. */
export interface LocalKeys extends SharedKeys<ControllerOptions>, Omit<LocalOptions, Reshaped | "downloads"> {
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

/** Keys by generation. @see docs/key-rotation.md */
export interface KeyListKeys extends Omit<KeyOptions, "given"> {}

export interface RegistryLoginKeys {
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
    /** The kubelet of the cluster's version. @default the one in the cache @see docs/air-gap.md */
    kubelet?: KubeletDownload;
    /** CNI plugins of new and existing machines. @default the ones in the cache @see docs/runtime-upgrades.md#cni-plugins */
    cniPlugins?: Download;
    /**
     * Additional archives of CNI plugins, which a node annotation can select by SHA-256.
     * @default none @see docs/runtime-upgrades.md#cni-plugins
     */
    otherCniPlugins?: Download[];
}
