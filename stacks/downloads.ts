import * as pulumi from "@pulumi/pulumi";
import { fileIndex } from "../artifacts/file-index";
import { KUBERNETES_VERSIONS, versions } from "../artifacts/lock";
import { requireOneOf } from "../components/cluster/validate";
import type { Download, NodeDownloads } from "../components/nodes/downloads";

/** What the cluster's own mirror serves: the files of the cache, with the hashes recorded when they were fetched or built. */
export function localDownloads(
    cluster: string,
    domain = "tradewind.internal",
    kubernetesVersion: string = versions.kubernetes,
): NodeDownloads {
    requireOneOf("kubernetesVersion", KUBERNETES_VERSIONS, kubernetesVersion);
    const mirror = `mirror.${cluster}.${domain}`;
    const index = fileIndex();
    const download = (path: string): Download => {
        const entry = index[path];
        if (!entry) {
            const command = `npm run artifacts -- fill --kubernetes ${kubernetesVersion}`;
            throw new pulumi.RunError(`the cache has no ${path}: run "${command}"`);
        }
        return { urls: [`http://${mirror}:8080/${path}`], sha256: entry.sha256 };
    };
    const cni = `v${versions.cniPlugins}`;
    return {
        kubelet: download(`kubernetes/v${kubernetesVersion}/kubelet`),
        cniPlugins: download(`cni-plugins/${cni}/cni-plugins-linux-amd64-${cni}.tgz`),
        registryMirror: `http://${mirror}:5000`,
    };
}
