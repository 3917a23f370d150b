import { type Architecture, type NodeDownloads, publishedKubelet } from "../../../../../cluster/downloads";
import type { ClusterOptions } from "../../../../../cluster/options";
import type { PoolDownloads } from "../../../../../components/upgrade/download-problems";

/** An object as returned by the API. */
export interface Shown {
    readonly kind: string;
    readonly metadata: {
        readonly name: string;
        readonly namespace?: string;
        readonly labels?: Record<string, string>;
        readonly annotations?: Record<string, string>;
    };
    readonly [field: string]: unknown;
}

type Options = Omit<Partial<ClusterOptions>, "name">;

/** Downloads that differ from the default. Pool `a` is arm64 if there are any for arm64. */
type Downloads = Partial<Record<Architecture, Partial<NodeDownloads>>>;

/** A change of a cluster `c` with three controllers and a worker. */
export interface Situation {
    /** The stack's previous configuration, of any version, even an unsupported one. @default 1.35.4 */
    readonly reported?: Options;
    /** Another kube-apiserver version in the state, after a failed rollout. */
    readonly before?: string;
    readonly toldDownloads?: Downloads;
    /** Objects that exist in addition, or differ from the configuration. @default none */
    readonly runs?: readonly Shown[];
    readonly desired: Options;
    readonly desiredDownloads?: Downloads;
    /** Result of a dry run of the control plane's pods. @default they are admitted */
    readonly refused?: string;
    /** Error of API requests. @default none */
    readonly apiError?: Error;
    /** Whether the state lacks the CA that is to issue. @default false */
    readonly lacksIssuer?: boolean;
}

/** By description. */
export type Situations = Readonly<Record<string, Situation>>;

export const sum = (digit: string) => digit.repeat(64);

/** Downloads for a version: its last digit determines its kubelet's checksum. */
export function poolDownloads(version: string, { amd64 = {}, arm64 }: Downloads = {}): PoolDownloads[] {
    const of = (pool: string, architecture: Architecture, more: Partial<NodeDownloads>): PoolDownloads => {
        const kubelet = { urls: [publishedKubelet(version, architecture)], sha256: sum(version.at(-1)!) };
        const downloads = { kubelet, cniPlugins: cniPlugins("1.9.1", "c"), ...more } as NodeDownloads;
        return { pool, architecture, version, downloads };
    };
    return [of("controller", "amd64", amd64), arm64 ? of("a", "arm64", arm64) : of("a", "amd64", amd64)];
}

export const cniPlugins = (version: string, digit: string) => ({
    urls: [`https://mirror.example/cni-plugins-linux-amd64-v${version}.tgz`],
    sha256: sum(digit),
});
