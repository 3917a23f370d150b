import type { NodeDownloads } from "../../../cluster/downloads";
import { runtimesOf } from "../../../cluster/machines/download-checks";
import { invalid } from "../../../cluster/validate";
import type { Architecture } from "../machines/instance-types";

/** Where what nodes fetch is published: in the internet alone. */
const published = [
    "dl.k8s.io",
    "cdn.dl.k8s.io",
    "github.com",
    "objects.githubusercontent.com",
    "storage.googleapis.com",
];

/**
 * Checks that nodes that do not get out may find what they fetch.
 *
 * What is known is where it is not: a bucket of the region is found through the endpoint of S3, and a host of the VPC, or of a
 * network that is connected to it, may be called anything.
 */
export function requireReachable(downloads: NodeDownloads, architecture: Architecture): void {
    const { kubelet, otherKubelets = {}, cniPlugins, otherCniPlugins = [], registryMirror } = downloads;
    const prefix = architecture === "arm64" ? "downloads.arm64" : "downloads";
    const others = [
        ...Object.entries(otherKubelets).map(([version, each]) => [`otherKubelets["${version}"]`, each] as const),
        ...otherCniPlugins.map((each, index) => [`otherCniPlugins[${index}]`, each] as const),
        ...runtimesOf(downloads).flatMap(([option, { containerd, runc }]) => [
            [`${option}.containerd`, containerd] as const,
            [`${option}.runc`, runc] as const,
        ]),
    ];
    for (const [name, { urls }] of [...Object.entries({ kubelet, cniPlugins }), ...others]) {
        if (urls.every((url) => isPublished(url))) {
            const legal = "of a bucket in the region, or of a host in a connected network, with natGateways none";
            throw invalid(`${prefix}.${name}.urls`, legal, urls);
        }
    }
    if (registryMirror === undefined) {
        const legal = "given with natGateways none: a registry in a connected network that answers for every image";
        throw invalid("downloads.registryMirror", legal, "nothing");
    }
}

function isPublished(url: string): boolean {
    return URL.canParse(url) && published.includes(new URL(url).hostname);
}
