import { type CloudDownloads, type CloudMachineDownloads, cloudDownloads } from "../../cluster/cloud-downloads";
import { cloudNames } from "../../cluster/clouds";
import {
    type Architecture,
    type Download,
    publishedCniPlugins,
    publishedContainerd,
    publishedCredentialProvider,
    publishedKubelet,
    publishedRunc,
} from "../../cluster/downloads";
import { imagesOfVersion } from "../../cluster/images";
import { requireEtcdVersion, requireKubernetesVersion } from "../../cluster/upgrades/supported";
import { versions } from "../../versions";
import type { BundleConfig } from "./config";

/** A file that machines download, from where its project publishes it. */
export interface NeededFile {
    readonly url: string;
    readonly sha256: string;
}

/** What machines of a cluster pull and download. */
export interface Needed {
    readonly kubernetes: readonly string[];
    readonly architectures: readonly Architecture[];
    /** Full names, with a tag, a digest or both. */
    readonly images: readonly string[];
    readonly files: readonly NeededFile[];
}

/** Images that only clusters on your machine run. */
const ofLocalClusters: readonly string[] = ["localPathProvisioner", "busybox"];

/**
 * Everything that clusters with a configuration may pull and download, also with other values of options such as `cni`,
 * because nothing can be fetched later.
 *
 * @param kubernetes - versions. @default that of the configuration
 * @param more - images of users
 */
export function neededBy(
    config: BundleConfig,
    architectures: readonly Architecture[],
    kubernetes: readonly string[] = [],
    more: readonly string[] = [],
): Needed {
    const own = requireKubernetesVersion("kubernetesVersion", config.kubernetesVersion ?? versions.kubernetes);
    const all =
        kubernetes.length > 0
            ? unique(kubernetes.map((each) => requireKubernetesVersion("--kubernetes", each)))
            : [own];
    const images = all.flatMap((version) => imagesOf(config, version, version === own));
    const files = all.flatMap((version) =>
        architectures.flatMap((architecture) => filesOf(config, version, architecture, version === own)),
    );
    return {
        kubernetes: all,
        architectures,
        images: unique([...images, ...more]).sort(),
        files: [...new Map(files.map((file) => [file.url, file])).values()].sort((one, other) =>
            one.url < other.url ? -1 : 1,
        ),
    };
}

function imagesOf(config: BundleConfig, kubernetes: string, isOwn: boolean): string[] {
    const { cloud = "local", etcdVersion = versions.etcd, selfHosted } = config;
    const etcd = requireEtcdVersion("etcdVersion", etcdVersion);
    const others = cloud === "local" ? [...cloudNames] : cloudNames.filter((each) => each !== cloud);
    const isNeeded = (name: string) =>
        (cloud === "local" || !ofLocalClusters.includes(name)) &&
        (selfHosted?.kubelet === true || name !== "kubelet") &&
        !others.some((other) => name.toLowerCase().startsWith(other));
    const { own, clouds } = imagesOfVersion(config, { kubernetes, etcd }, isOwn);
    return Object.entries({ ...own, ...(cloud !== "local" && clouds) })
        .filter(([name]) => isNeeded(name))
        .map(([, image]) => image);
}

function filesOf(config: BundleConfig, version: string, architecture: Architecture, isOwn: boolean): NeededFile[] {
    const { downloads = {}, ecrPulls } = config;
    const { arm64, ...amd64 } = downloads;
    const given = (architecture === "arm64" ? arm64 : amd64) ?? {};
    const sha256 = isOwn ? given.kubelet?.sha256 : given.otherKubelets?.[version]?.sha256;
    const { kubelet, cniPlugins, containerRuntime } = cloudDownloads(
        withoutUrls(given, architecture, sha256),
        version,
        architecture,
    );
    return [
        { url: publishedKubelet(version, architecture), sha256: kubelet.sha256 },
        ...[cniPlugins, ...(ecrPulls ? [publishedCredentialProvider(architecture)] : [])].map(firstOf),
        ...(containerRuntime ? [containerRuntime.containerd, containerRuntime.runc].map(firstOf) : []),
    ];
}

/** The checksums that are given, of the published files: the URLs in a configuration may be those of a bundle's server. */
function withoutUrls(
    { cniPlugins, containerRuntime }: CloudMachineDownloads,
    architecture: Architecture,
    sha256: string | undefined,
): CloudDownloads {
    const published = publishedCniPlugins(architecture);
    const { containerd, runc } = containerRuntime ?? {};
    return {
        kubelet: { sha256 },
        cniPlugins: { urls: published.urls, sha256: cniPlugins?.sha256 ?? published.sha256 },
        ...(containerd && {
            containerRuntime: {
                containerd: { ...containerd, urls: [publishedContainerd(architecture)] },
                runc: { ...publishedRunc(architecture), ...(runc?.sha256 && { sha256: runc.sha256 }) },
            },
        }),
    };
}

function firstOf({ urls, sha256 }: Download): NeededFile {
    return { url: urls[0]!, sha256 };
}

function unique(names: readonly string[]): string[] {
    return [...new Set(names)];
}
