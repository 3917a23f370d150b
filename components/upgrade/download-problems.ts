import { invalid } from "../cluster/validate";
import { versionOfFile } from "../cluster/version";
import { downloadsOption, kubeletChecksum, kubeletsOf } from "../nodes/download-checks";
import type { Download, NodeDownloads } from "../nodes/downloads";
import type { Architecture } from "../nodes/published";
import type { NodeFiles, ToldDownloads } from "./running-downloads";

/** What the machines of a pool fetch. */
export interface PoolDownloads {
    readonly pool: string;
    readonly architecture: Architecture;
    /** Of kubelets, without the `v`. */
    readonly version: string;
    readonly downloads: NodeDownloads;
}

/** Whether a pool's node-agents were told of the same files. */
export function isTold({ version, downloads }: PoolDownloads, told: ToldDownloads | undefined): boolean {
    const { kubelet, otherKubelets, cniPlugins } = downloads;
    const kubelets = Object.entries({ [version]: kubelet, ...otherKubelets });
    return (
        told?.wanted === version &&
        kubelets.every(([each, { sha256 }]) => told.kubelets[each]?.sha256 === sha256) &&
        told.cniPlugins?.sha256 === cniPlugins.sha256 &&
        told.cniPlugins.urls.join(" ") === cniPlugins.urls.join(" ")
    );
}

/** Which checksums can't be those of the files that they are given for, by what nodes have. */
export function downloadProblems(wanted: readonly PoolDownloads[], running: readonly NodeFiles[]): string[] {
    const problems = wanted.flatMap(({ architecture, version, downloads }) => {
        const prefix = downloadsOption(architecture);
        const { cniPlugins } = downloads;
        return [
            ...kubeletsOf(downloads, prefix, version).flatMap((kubelet) => [
                ofAnotherVersion(kubelet, architecture, running),
                notThatOfNodes(kubelet, architecture, running),
            ]),
            ofOtherPlugins({ option: `${prefix}.cniPlugins`, ...cniPlugins }, running),
        ];
    });
    // Pools of one architecture have the same.
    return [...new Set(problems.flatMap((problem) => problem?.message ?? []))];
}

interface Given extends Download {
    readonly option: string;
}

interface GivenKubelet extends Given {
    readonly version: string;
}

/** No file is of two versions. */
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

/** Agents know a kubelet by its version: of the same one they would let nodes have what they have. */
function notThatOfNodes(
    { option, sha256, version }: GivenKubelet,
    architecture: Architecture,
    running: readonly NodeFiles[],
): Error | undefined {
    const ofVersion = running.filter((each) => each.architecture === architecture && each.kubelet?.version === version);
    const [first] = ofVersion;
    if (first === undefined || ofVersion.some(({ kubelet }) => kubelet!.sha256 === sha256)) return undefined;
    const legal = `${first.kubelet!.sha256}, that of kubelet ${version} on ${first.node}, while kubernetesVersion stays: nodes keep the kubelet that they have`;
    return invalid(`${option}.sha256`, legal, sha256);
}

/** Agents know archives by their checksums: with that of before they would let nodes have what they have. */
function ofOtherPlugins({ option, urls, sha256 }: Given, running: readonly NodeFiles[]): Error | undefined {
    const url = urls.find((each) => versionOfFile(each) !== undefined);
    if (url === undefined) return undefined;
    const versions = urls.map(versionOfFile);
    for (const { node, cniPlugins } of running) {
        const had = cniPlugins?.sha256 === sha256 ? cniPlugins.urls.filter((each) => versionOfFile(each)) : [];
        if (had.length > 0 && !had.some((each) => versions.includes(versionOfFile(each)))) {
            return invalid(`${option}.sha256`, `that of ${url}`, `${sha256}, that of ${had[0]}, which ${node} has`);
        }
    }
    return undefined;
}
