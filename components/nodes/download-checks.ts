import { parse } from "semver";
import { kubeletsBehind } from "../cluster/upgrade-checks";
import { invalid } from "../cluster/validate";
import { versionsInUrl } from "../cluster/version";
import { requireArchitecture, requireCniPlugins } from "./cni-plugins-checks";
import type { ContainerRuntime, Download, NodeDownloads } from "./downloads";
import { type Architecture, publishedKubelet } from "./published";

/** One that machines may fetch. */
export interface Kubelet extends Download {
    readonly option: string;
    readonly version: string;
}

/** The option by which an architecture's downloads are given. */
export function downloadsOption(architecture: Architecture): string {
    return architecture === "arm64" ? "downloads.arm64" : "downloads";
}

/**
 * Refuses what can't be the file that it is given for, as far as that is known without a network and without a cluster:
 * machines would refuse it too, but only after they are made.
 *
 * @param version - of kubelets, without the `v`
 */
export function requireDownloads(downloads: NodeDownloads, version: string, architecture: Architecture): NodeDownloads {
    const prefix = downloadsOption(architecture);
    const kubelets = kubeletsOf(downloads, prefix, version);
    for (const [index, kubelet] of kubelets.entries()) {
        requireNotTooOld(kubelet, version);
        requireKubeletUrls(kubelet, architecture);
        const same = kubelets.slice(0, index).find(({ sha256 }) => sha256 === kubelet.sha256);
        if (same !== undefined && same.version !== kubelet.version) {
            const legal = kubeletChecksum(kubelet, architecture);
            throw invalid(`${kubelet.option}.sha256`, legal, `${kubelet.sha256}, that of ${same.version}`);
        }
        const [own] = kubelets;
        if (kubelet.version === version && kubelet.sha256 !== own!.sha256) {
            throw invalid(`${kubelet.option}.sha256`, `that of ${own!.option}, ${own!.sha256}`, kubelet.sha256);
        }
    }
    const { cniPlugins, otherCniPlugins = [] } = downloads;
    requireCniPlugins(`${prefix}.cniPlugins`, cniPlugins, architecture);
    otherCniPlugins.forEach((each, index) => {
        requireCniPlugins(`${prefix}.otherCniPlugins[${index}]`, each, architecture);
    });
    for (const [option, { containerd, runc }] of runtimesOf(downloads)) {
        for (const [name, { urls }] of Object.entries({ containerd, runc })) {
            urls.forEach((url, index) => {
                requireArchitecture(`${prefix}.${option}.${name}.urls[${index}]`, url, architecture);
            });
        }
        if (containerd.sha256 === runc.sha256) {
            throw invalid(`${prefix}.${option}.runc.sha256`, "another than that of its containerd", runc.sha256);
        }
    }
    return downloads;
}

/** Ignition is for operating systems that have it, and keep their programs to themselves. */
export function requireRuntimeOf(os: string, downloads: NodeDownloads, architecture: Architecture): void {
    const { containerRuntime, otherContainerRuntimes } = downloads;
    const prefix = downloadsOption(architecture);
    if (containerRuntime && os !== "cloud-init") {
        throw invalid(`${prefix}.containerRuntime`, "left out unless os is cloud-init", "some");
    }
    if (otherContainerRuntimes && !containerRuntime) {
        throw invalid(`${prefix}.otherContainerRuntimes`, "left out without containerRuntime", "some");
    }
}

/** Every container runtime that machines may fetch, each with its option. */
export function runtimesOf({
    containerRuntime,
    otherContainerRuntimes = [],
}: NodeDownloads): (readonly [option: string, runtime: ContainerRuntime])[] {
    return [
        ...(containerRuntime ? [["containerRuntime", containerRuntime] as const] : []),
        ...otherContainerRuntimes.map((each, index) => [`otherContainerRuntimes[${index}]`, each] as const),
    ];
}

/** What a kubelet's checksum has to be, and who tells it. */
export function kubeletChecksum(
    { version, urls }: Download & { readonly version: string },
    architecture: Architecture,
): string {
    const published = publishedKubelet(version, architecture);
    const condition = urls.includes(published) ? "" : `, if ${urls[0]} is Kubernetes' own`;
    return `that of kubelet ${version} for ${architecture} (${published}.sha256 tells it${condition})`;
}

/** Every kubelet that machines may fetch, each with its option. */
export function kubeletsOf({ kubelet, otherKubelets = {} }: NodeDownloads, prefix: string, version: string): Kubelet[] {
    const others = Object.entries(otherKubelets).map(([other, download]) => ({
        option: `${prefix}.otherKubelets["${other}"]`,
        version: other,
        ...download,
    }));
    return [{ option: `${prefix}.kubelet`, version, ...kubelet }, ...others];
}

/** One that a node's annotation may name: kube-apiserver would not serve it. Newer ones wait on their nodes. */
function requireNotTooOld({ option, version }: Kubelet, cluster: string): void {
    const [own, other] = [parse(cluster), parse(version)];
    if (own && !(other && own.minor - other.minor <= kubeletsBehind)) {
        const legal = `of a version at most ${kubeletsBehind} minor versions behind Kubernetes ${cluster}`;
        throw invalid(option, legal, version);
    }
}

function requireKubeletUrls({ option, urls, version }: Kubelet, architecture: Architecture): void {
    urls.forEach((url, index) => {
        // A path may name versions of other things, which are not like one of Kubernetes.
        const named = versionsInUrl(url).filter((each) => /^1\.\d\d\./.test(each));
        if (named.length > 0 && !named.includes(version)) {
            throw invalid(`${option}.urls[${index}]`, `of kubelet ${version}`, url);
        }
        requireArchitecture(`${option}.urls[${index}]`, url, architecture);
    });
}
