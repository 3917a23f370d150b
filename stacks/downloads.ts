import * as pulumi from "@pulumi/pulumi";
import { fileIndex } from "../artifacts/file-index";
import { KUBERNETES_VERSIONS, versions } from "../artifacts/lock";
import { requireOneOf } from "../components/cluster/validate";
import type { Download, NodeDownloads } from "../components/nodes/downloads";

export interface LocalDownloads {
    readonly domain?: string;
    readonly kubernetesVersion?: string;
    /** Versions of kubelets beside the cluster's. */
    readonly otherKubelets?: readonly string[];
    /** @default - those of the cache */
    readonly cniPlugins?: Download;
    readonly otherCniPlugins?: readonly Download[];
}

/** What the cluster's own mirror serves: the files of the cache, with the hashes recorded when they were fetched or built. */
export function localDownloads(
    cluster: string,
    {
        domain = "tradewind.internal",
        kubernetesVersion = versions.kubernetes,
        otherKubelets = [],
        cniPlugins,
        otherCniPlugins,
    }: LocalDownloads = {},
): NodeDownloads {
    requireOneOf("kubernetesVersion", KUBERNETES_VERSIONS, kubernetesVersion);
    otherKubelets.forEach((version, index) => {
        requireOneOf(`otherKubelets[${index}]`, KUBERNETES_VERSIONS, version);
    });
    const mirror = `mirror.${cluster}.${domain}`;
    const index = fileIndex();
    const download = (path: string, version = kubernetesVersion): Download => {
        const entry = index[path];
        if (!entry) {
            const command = `npm run artifacts -- fill --kubernetes ${version}`;
            throw new pulumi.RunError(`the cache has no ${path}: run "${command}"`);
        }
        return { urls: [`http://${mirror}:8080/${path}`], sha256: entry.sha256 };
    };
    const cni = `v${versions.cniPlugins}`;
    const kubelet = (version: string) => download(`kubernetes/v${version}/kubelet`, version);
    return {
        kubelet: kubelet(kubernetesVersion),
        ...(otherKubelets.length > 0 && {
            otherKubelets: Object.fromEntries(otherKubelets.map((version) => [version, kubelet(version)])),
        }),
        cniPlugins: cniPlugins ?? download(`cni-plugins/${cni}/cni-plugins-linux-amd64-${cni}.tgz`),
        ...(otherCniPlugins && { otherCniPlugins }),
        registryMirror: `http://${mirror}:5000`,
    };
}
