import * as pulumi from "@pulumi/pulumi";
import { fileIndex } from "../cache";
import { byBuiltDigest } from "../cache/built-digests";
import type { OwnImages } from "../cluster/options";
import { isTested, requireEtcdVersion, requireKubernetesVersion } from "../cluster/upgrades/supported";
import { invalid } from "../cluster/validate";
import type { Download, NodeDownloads } from "../index";
import { ETCD_VERSIONS, KUBERNETES_VERSIONS, versions } from "../versions";
import { imagesFor, unusedImages } from "../versions/images";
import type { LocalKeys } from "./options";

type LocalDownloads = Pick<LocalKeys, "domain" | "kubernetesVersion" | "otherKubelets"> & LocalKeys["downloads"];

/**
 * Downloads from the cluster's own mirror: the files of the cache, with the hashes recorded when they were downloaded
 * or built.
 */
export function localDownloads(
    cluster: string,
    {
        domain = "tradewind.internal",
        kubernetesVersion = versions.kubernetes,
        otherKubelets = [],
        kubelet: own,
        cniPlugins,
        otherCniPlugins,
    }: LocalDownloads = {},
): NodeDownloads {
    requireKubernetesVersion("kubernetesVersion", kubernetesVersion);
    otherKubelets.forEach((version, index) => {
        requireKubernetesVersion(`otherKubelets[${index}]`, version);
    });
    const mirror = `mirror.${cluster}.${domain}`;
    const index = fileIndex();
    const download = (path: string, version = kubernetesVersion, option = "kubernetesVersion"): Download => {
        const entry = index[path];
        if (!entry) {
            if (!isTested(version, KUBERNETES_VERSIONS)) throw notInCache(option, version, KUBERNETES_VERSIONS, path);
            const command = `npm run artifacts -- fill --kubernetes ${version}`;
            throw new pulumi.RunError(`the cache has no ${path}: run "${command}"`);
        }
        return { urls: [`http://${mirror}:8080/${path}`], sha256: entry.sha256 };
    };
    const cni = `v${versions.cniPlugins}`;
    const kubelet = (version: string, option?: string) => download(`kubernetes/v${version}/kubelet`, version, option);
    return {
        kubelet:
            own?.urls && own.sha256
                ? { urls: own.urls, sha256: own.sha256 }
                : { ...kubelet(kubernetesVersion), ...own },
        ...(otherKubelets.length > 0 && {
            otherKubelets: Object.fromEntries(
                otherKubelets.map((version, at) => [version, kubelet(version, `otherKubelets[${at}]`)]),
            ),
        }),
        cniPlugins: cniPlugins ?? download(`cni-plugins/${cni}/cni-plugins-linux-amd64-${cni}.tgz`),
        ...(otherCniPlugins && { otherCniPlugins }),
        registryMirror: `http://${mirror}:5000`,
    };
}

/** What decides which images of the mirror a cluster uses. */
type ImageKeys = Pick<
    LocalKeys,
    | "imageDigests"
    | "kubernetesVersion"
    | "etcdVersion"
    | "images"
    | "metricsServer"
    | "logs"
    | "prometheus"
    | "selfHosted"
>;

/** Images of the mirror with the digests of this machine's builds, if images are pulled by digest. */
export function builtImages({
    imageDigests = true,
    kubernetesVersion = versions.kubernetes,
    etcdVersion = versions.etcd,
    images: own = {},
    metricsServer = false,
    logs,
    prometheus,
    selfHosted,
}: ImageKeys): Partial<OwnImages> {
    const images = imagesFor(
        requireKubernetesVersion("kubernetesVersion", kubernetesVersion),
        requireEtcdVersion("etcdVersion", etcdVersion),
    );
    for (const [option, version, tested, image] of [
        ["kubernetesVersion", kubernetesVersion, KUBERNETES_VERSIONS, images.kubeApiserver],
        ["etcdVersion", etcdVersion, ETCD_VERSIONS, images.etcd],
    ] as const) {
        if (!isTested(version, tested) && byBuiltDigest(image) === undefined) {
            throw notInCache(option, version, tested, image);
        }
    }
    if (!imageDigests) return {};
    const unused: readonly string[] = [
        ...Object.keys(own),
        ...unusedImages({
            metricsServer,
            logs: logs !== undefined,
            prometheus: prometheus !== undefined,
            kubeletPods: selfHosted?.kubelet ?? false,
        }),
    ];
    const byDigest = Object.entries(images).flatMap(([name, image]) => {
        const pinned = byBuiltDigest(image);
        if (pinned !== undefined) return [[name, pinned]];
        // `npm start` leaves out what a first boot does not need.
        if (unused.includes(name)) return [];
        const command = `npm run artifacts -- fill --kubernetes ${kubernetesVersion} --etcd ${etcdVersion}`;
        throw new pulumi.RunError(`the cache has no ${image}: run "${command}"`);
    });
    return Object.fromEntries(byDigest);
}

/** A local cluster runs what is in the cache, and only tested versions can be built for it. */
function notInCache(option: string, version: string, tested: readonly string[], lacks: string): Error {
    const legal = `one of ${tested.join(", ")} on a local cluster, or a version in the cache, which has no ${lacks}`;
    return new pulumi.RunError(invalid(option, legal, version).message);
}
