import { type Architecture, type NodeDownloads, publishedKubelet } from "../../../../../cluster/downloads";
import type { ClusterOptions } from "../../../../../cluster/options";
import type { PoolDownloads } from "../../../../../components/upgrade/download-problems";

/** An object as the API shows it. */
export interface Shown {
    readonly kind: string;
    readonly metadata: { readonly name: string; readonly namespace?: string; readonly labels?: Record<string, string> };
    readonly [field: string]: unknown;
}

type Options = Omit<Partial<ClusterOptions>, "name">;

/** What pools fetch otherwise than they would. Pool `a` is of arm64 where something is said of that. */
type Downloads = Partial<Record<Architecture, Partial<NodeDownloads>>>;

/** A change of a cluster `c` of three controllers and a worker. */
export interface Situation {
    /** What the stack told it last: of any version, though this release may have it no more. @default 1.35.4 */
    readonly told?: Options;
    /** A version of kube-apiserver that the state has beside: a rollout of the one that was told last failed. */
    readonly before?: string;
    readonly toldDownloads?: Downloads;
    /** What is there beside, or otherwise than it was told. @default nothing */
    readonly runs?: readonly Shown[];
    readonly wanted: Options;
    readonly wantedDownloads?: Downloads;
    /** What a dry run of the control plane's pods ends with. @default they are admitted */
    readonly refused?: string;
    /** What asking the API ends with. @default it answers */
    readonly apiError?: Error;
    /** Whether the state lacks the authority that is to issue. @default false */
    readonly lacksIssuer?: boolean;
}

/** By what they are. */
export type Situations = Readonly<Record<string, Situation>>;

export const sum = (digit: string) => digit.repeat(64);

/** What pools fetch for a version: its last digit tells its kubelet's checksum. */
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
