import type { NodeDownloads } from "../../../cluster/downloads";
import { runtimesOf } from "../../../cluster/machines/download-checks";
import { invalid } from "../../../cluster/validate";
import type { Architecture } from "../machines/instance-types";

/** Hosts on the internet that publish what nodes download. */
const published = [
    "dl.k8s.io",
    "cdn.dl.k8s.io",
    "github.com",
    "objects.githubusercontent.com",
    "storage.googleapis.com",
];

/**
 * Checks that nodes without a route to the internet can reach their downloads.
 *
 * Only places that cannot work are known: a bucket of the region is reached through the S3 endpoint, and a host in the
 * VPC or in a connected network can have any name.
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
            const legal = "in a bucket of the region or on a host of a connected network with natGateways none";
            throw invalid(`${prefix}.${name}.urls`, legal, urls);
        }
    }
    if (registryMirror === undefined) {
        const legal = "set with natGateways none: a registry in a connected network that mirrors every image";
        throw invalid("downloads.registryMirror", legal, "nothing");
    }
}

function isPublished(url: string): boolean {
    return URL.canParse(url) && published.includes(new URL(url).hostname);
}
