import { parse } from "semver";
import {
    type Architecture,
    architectures,
    type ContainerRuntime,
    type Download,
    knownKubeletChecksum,
    kubeletWithChecksum,
    type NodeDownloads,
    publishedCniPlugins,
    publishedKubelet,
    publishedRunc,
} from "../downloads";
import { kubeletsBehind } from "../upgrades/checks";
import { versionOfFile, versionsInUrl } from "../upgrades/version";
import { invalid, mustNot, requires } from "../validate";

/** A kubelet that machines may download. */
interface Kubelet extends Download {
    readonly option: string;
    readonly version: string;
}

/** The option with the downloads of an architecture. */
export function downloadsOption(architecture: Architecture): string {
    return architecture === "arm64" ? "downloads.arm64" : "downloads";
}

/**
 * Refuses downloads that cannot be what they are given as, as far as that is known without a network and a cluster.
 * Machines would refuse them too, but only after they are created.
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
        const published = knownKubeletChecksum(kubelet.version, architecture);
        if (published !== undefined) {
            requirePublished(kubelet.option, kubelet, publishedKubelet(kubelet.version, architecture), published);
        }
        const known = kubeletWithChecksum(kubelet.sha256);
        if (known && (known.version !== kubelet.version || known.architecture !== architecture)) {
            const got = `${kubelet.sha256}, that of kubelet ${known.version} for ${known.architecture}`;
            throw invalid(`${kubelet.option}.sha256`, kubeletChecksum(kubelet, architecture), got);
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
        const published = publishedRunc(architecture);
        requirePublished(`${prefix}.${option}.runc`, runc, published.urls[0]!, published.sha256);
        if (containerd.sha256 === runc.sha256) {
            throw mustNot(`${prefix}.${option}.runc.sha256`, "equal the SHA-256 of its containerd", runc.sha256);
        }
    }
    return downloads;
}

/** Ignition is for operating systems that include it and manage their own binaries. */
export function requireRuntimeOf(os: string, downloads: NodeDownloads, architecture: Architecture): void {
    const { containerRuntime, otherContainerRuntimes } = downloads;
    const prefix = downloadsOption(architecture);
    if (containerRuntime && os !== "cloud-init") {
        throw requires(`${prefix}.containerRuntime`, "os cloud-init");
    }
    if (otherContainerRuntimes && !containerRuntime) {
        throw requires(`${prefix}.otherContainerRuntimes`, "containerRuntime");
    }
}

/** Every container runtime that machines may download, with its option. */
export function runtimesOf({
    containerRuntime,
    otherContainerRuntimes = [],
}: NodeDownloads): (readonly [option: string, runtime: ContainerRuntime])[] {
    return [
        ...(containerRuntime ? [["containerRuntime", containerRuntime] as const] : []),
        ...otherContainerRuntimes.map((each, index) => [`otherContainerRuntimes[${index}]`, each] as const),
    ];
}

/** What the checksum of a kubelet must be, and where it is published. */
export function kubeletChecksum(
    { version, urls }: Download & { readonly version: string },
    architecture: Architecture,
): string {
    const published = publishedKubelet(version, architecture);
    const condition = urls.includes(published) ? "" : `, if ${urls[0]} is the official binary`;
    return `that of kubelet ${version} for ${architecture} (see ${published}.sha256${condition})`;
}

/** Every kubelet that machines may download, with its option. */
export function kubeletsOf({ kubelet, otherKubelets = {} }: NodeDownloads, prefix: string, version: string): Kubelet[] {
    const others = Object.entries(otherKubelets).map(([other, download]) => ({
        option: `${prefix}.otherKubelets["${other}"]`,
        version: other,
        ...download,
    }));
    return [{ option: `${prefix}.kubelet`, version, ...kubelet }, ...others];
}

/** Refuses a selectable kubelet too old for kube-apiserver. Kubelets that are too new wait on their nodes. */
function requireNotTooOld({ option, version }: Kubelet, cluster: string): void {
    const [own, other] = [parse(cluster), parse(version)];
    if (own && !(other && own.minor - other.minor <= kubeletsBehind)) {
        const legal = `of a version at most ${kubeletsBehind} minor versions behind Kubernetes ${cluster}`;
        throw invalid(option, legal, version);
    }
}

function requireKubeletUrls({ option, urls, version }: Kubelet, architecture: Architecture): void {
    urls.forEach((url, index) => {
        // A path may contain versions of other things, which do not look like Kubernetes versions.
        const named = versionsInUrl(url).filter((each) => /^1\.\d\d\./.test(each));
        if (named.length > 0 && !named.includes(version)) {
            throw invalid(`${option}.urls[${index}]`, `of kubelet ${version}`, url);
        }
        requireArchitecture(`${option}.urls[${index}]`, url, architecture);
    });
}

/** Refuses an archive whose URLs and checksum contradict each other, according to the pinned versions. */
export function requireCniPlugins(option: string, { urls, sha256 }: Download, architecture: Architecture): void {
    urls.forEach((url, index) => {
        requireArchitecture(`${option}.urls[${index}]`, url, architecture);
    });
    const published = publishedCniPlugins(architecture);
    requirePublished(option, { urls, sha256 }, published.urls[0]!, published.sha256);
    const pinned = architectures.find((each) => publishedCniPlugins(each).sha256 === sha256);
    const { version } = published;
    const other = urls.find((each) => (versionOfFile(each) ?? version) !== version);
    if (pinned !== undefined && (pinned !== architecture || other !== undefined)) {
        const got = `${sha256}, that of CNI plugins ${version} for ${pinned}`;
        throw invalid(`${option}.sha256`, `that of ${other ?? urls[0]}`, got);
    }
}

/** Refuses another checksum than the published one for a file that may come from where its project publishes it. */
function requirePublished(option: string, { urls, sha256 }: Download, url: string, published: string): void {
    if (urls.includes(url) && sha256 !== published) {
        throw invalid(`${option}.sha256`, `${published}, that of ${url}`, sha256);
    }
}

/** @param url - of a file for one architecture, which the URL may contain */
export function requireArchitecture(option: string, url: string, architecture: Architecture): void {
    const named = architectures.filter((each) => new RegExp(`(?<![a-z0-9])${each}(?![a-z0-9])`).test(url));
    if (named.length > 0 && !named.includes(architecture)) throw invalid(option, `of a file for ${architecture}`, url);
}
