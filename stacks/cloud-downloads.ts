import { KUBERNETES_VERSIONS, kubernetes, parts, versions } from "../artifacts/lock";
import { requireOneOf } from "../components/cluster/validate";
import type { NodeDownloads } from "../components/nodes/downloads";
import type { CloudDownloads } from "./config";

/** Of which machines of a cloud are: droplets have no other. */
const arch = "amd64";

/** What machines of a cloud fetch: from where it is published, unless the configuration names another place. */
export function cloudDownloads(
    { kubelet, cniPlugins, registryMirror }: CloudDownloads,
    kubernetesVersion: string = versions.kubernetes,
): NodeDownloads {
    const version = requireOneOf("kubernetesVersion", KUBERNETES_VERSIONS, kubernetesVersion);
    const url = (template: string) => template.replaceAll("{arch}", arch).replaceAll("{binary}", "kubelet");
    const published = parts.cniPlugins.official;
    return {
        kubelet: { urls: kubelet.urls ?? [url(kubernetes(version).official!.url)], sha256: kubelet.sha256 },
        cniPlugins: cniPlugins ?? { urls: [url(published!.url)], sha256: published!.sha256![arch]! },
        ...(registryMirror && { registryMirror }),
    };
}
