import type { Source } from "../../agents/nodes/node-agent/plan";
import type { Architecture, Download, NodeDownloads } from "../../cluster/downloads";
import { downloadsOption, kubeletChecksum, kubeletsOf } from "../../cluster/machines/download-checks";
import { versionOfFile, versionsInUrl } from "../../cluster/upgrades/version";
import { invalid } from "../../cluster/validate";
import type { NodeDownloadsInUse, NodeFiles } from "./running-downloads";

/** Downloads of a pool's machines. */
export interface PoolDownloads {
    readonly pool: string;
    readonly architecture: Architecture;
    /** Of kubelets, without the `v`. */
    readonly version: string;
    readonly downloads: NodeDownloads;
}

/** Whether a pool's node-agents already have the same downloads. */
export function isReported({ version, downloads }: PoolDownloads, reported: NodeDownloadsInUse | undefined): boolean {
    const { kubelet, otherKubelets, cniPlugins, containerRuntime } = downloads;
    const kubelets = Object.entries({ [version]: kubelet, ...otherKubelets });
    return (
        reported?.desired === version &&
        kubelets.every(([each, { sha256 }]) => reported.kubelets[each]?.sha256 === sha256) &&
        isSame(reported.cniPlugins, cniPlugins) &&
        isSame(reported.containerRuntime?.containerd, containerRuntime?.containerd) &&
        isSame(reported.containerRuntime?.runc, containerRuntime?.runc)
    );
}

function isSame(one: Source | undefined, other: Source | undefined): boolean {
    return one?.sha256 === other?.sha256 && one?.urls.join(" ") === other?.urls.join(" ");
}

/** Checksums that cannot belong to their files, judged by the files on nodes. */
export function downloadProblems(desired: readonly PoolDownloads[], running: readonly NodeFiles[]): string[] {
    const problems = desired.flatMap(({ architecture, version, downloads }) => {
        const prefix = downloadsOption(architecture);
        const { cniPlugins, containerRuntime: runtime } = downloads;
        return [
            ...kubeletsOf(downloads, prefix, version).flatMap((kubelet) => [
                ofAnotherVersion(kubelet, architecture, running),
                notThatOfNodes(kubelet, architecture, running),
            ]),
            ofAnotherFile({ option: `${prefix}.cniPlugins`, ...cniPlugins }, running, (had) => had.cniPlugins),
            ...(["containerd", "runc"] as const).map(
                (name) =>
                    runtime &&
                    ofAnotherFile(
                        { option: `${prefix}.containerRuntime.${name}`, ...runtime[name] },
                        running,
                        ({ containerRuntime }) => containerRuntime?.[name],
                    ),
            ),
        ];
    });
    // Pools of the same architecture have the same problems.
    return [...new Set(problems.flatMap((problem) => problem?.message ?? []))];
}

interface Given extends Download {
    readonly option: string;
}

interface GivenKubelet extends Given {
    readonly version: string;
}

/** The same file cannot be of two versions. */
function ofAnotherVersion(
    kubelet: GivenKubelet,
    architecture: Architecture,
    running: readonly NodeFiles[],
): Error | undefined {
    const { option, sha256, version } = kubelet;
    const same = running.find((each) => each.kubelet?.sha256 === sha256 && each.kubelet.version !== version);
    if (same === undefined) return undefined;
    const got = `${sha256}, that of kubelet ${same.kubelet!.version}, which ${same.node} has`;
    return invalid(`${option}.sha256`, kubeletChecksum(kubelet, architecture), got);
}

/** Agents identify a kubelet by its version: with the same version, nodes would keep their kubelet. */
function notThatOfNodes(
    { option, sha256, version }: GivenKubelet,
    architecture: Architecture,
    running: readonly NodeFiles[],
): Error | undefined {
    const ofVersion = running.filter((each) => each.architecture === architecture && each.kubelet?.version === version);
    const [first] = ofVersion;
    if (first === undefined || ofVersion.some(({ kubelet }) => kubelet!.sha256 === sha256)) return undefined;
    const legal = `${first.kubelet!.sha256}, that of kubelet ${version} on ${first.node}, while kubernetesVersion is unchanged: nodes keep their kubelet`;
    return invalid(`${option}.sha256`, legal, sha256);
}

/** Agents identify archives by checksum: with the previous checksum, nodes would keep their archive. */
function ofAnotherFile(
    { option, urls, sha256 }: Given,
    running: readonly NodeFiles[],
    hadBy: (files: NodeFiles) => Source | undefined,
): Error | undefined {
    const url = urls.find((each) => versionOf(each) !== undefined);
    if (url === undefined) return undefined;
    const versions = urls.map(versionOf);
    for (const files of running) {
        const before = hadBy(files);
        const had = before?.sha256 === sha256 ? before.urls.filter((each) => versionOf(each)) : [];
        if (had.length > 0 && !had.some((each) => versions.includes(versionOf(each)))) {
            return invalid(
                `${option}.sha256`,
                `that of ${url}`,
                `${sha256}, that of ${had[0]}, which ${files.node} has`,
            );
        }
    }
    return undefined;
}

/** runc's releases have the version only in a folder name. */
function versionOf(url: string): string | undefined {
    return versionOfFile(url) ?? (/\/runc\.\w+$/.test(url) ? versionsInUrl(url).at(-1) : undefined);
}
