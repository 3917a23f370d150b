import {
    type Architecture,
    type ContainerRuntime,
    type Download,
    knownKubeletChecksum,
    type NodeDownloads,
    publishedCniPlugins,
    publishedContainerd,
    publishedKubelet,
    publishedRunc,
} from "./downloads";
import { downloadsOption } from "./machines/download-checks";
import { requireKubernetesVersion } from "./upgrades/supported";
import { invalid } from "./validate";

// Without `Pick` and `Partial`, which Pulumi's analyzer of `plugin/clouds` cannot read.

/** A kubelet. Its version is that of the cluster or the key of `otherKubelets`. */
export interface KubeletDownload {
    /** URLs of the kubelet, tried in order. @minItems 1 @default where Kubernetes publishes it */
    urls?: string[];
    /**
     * SHA-256 of `https://dl.k8s.io/v<version>/bin/linux/<architecture>/kubelet`, as published next to it. Machines
     * refuse any other file. Required for versions that are not tested.
     * @default the published one of tested versions @format sha256
     */
    sha256?: string;
}

/** containerd 2 or newer. */
export interface ContainerdDownload {
    /** URLs of a containerd release archive. @minItems 1 @default the pinned release, where containerd publishes it */
    urls?: string[];
    /** SHA-256 of the archive, as published next to it. @format sha256 @default unknown: it must be set */
    sha256?: string;
}

/** The OCI runtime of containerd. */
export interface RuncDownload {
    /** URLs of the binary. @minItems 1 @default the pinned release, where runc publishes it */
    urls?: string[];
    /** SHA-256 of the binary, as published in `runc.sha256sum`. @default that of the pinned release @format sha256 */
    sha256?: string;
}

/** A container runtime. */
export interface ContainerRuntimeDownloads {
    /** containerd 2 or newer. */
    containerd: ContainerdDownload;
    /** The OCI runtime of containerd. @default the pinned release, where runc publishes it */
    runc?: RuncDownload;
}

/** Downloads of machines of one architecture: by default where their projects publish them. */
export interface CloudMachineDownloads {
    /** The kubelet of the cluster's version. @default where Kubernetes publishes it */
    kubelet?: KubeletDownload;
    /**
     * Additional kubelets by version, which a node annotation can select. Each has the form of `kubelet`.
     * @default none @see docs/kubelets.md#one-node-first
     */
    otherKubelets?: Record<string, KubeletDownload>;
    /** CNI plugins of new and existing machines. @default the pinned release, where it is published */
    cniPlugins?: Download;
    /**
     * Additional archives of CNI plugins, which a node annotation can select by SHA-256.
     * @default none @see docs/runtime-upgrades.md#cni-plugins
     */
    otherCniPlugins?: Download[];
    /**
     * containerd and runc for new and existing machines whose OS image has none, with `os: cloud-init`.
     * @default the ones in the image @see docs/configuration.md#container-runtime
     */
    containerRuntime?: ContainerRuntimeDownloads;
    /**
     * Additional container runtimes, which a node annotation can select by SHA-256. Each has the form of
     * `containerRuntime`.
     * @default none @see docs/runtime-upgrades.md#containerd
     */
    otherContainerRuntimes?: ContainerRuntimeDownloads[];
}

/** Downloads of a cloud's machines: by default where their projects publish them. */
export interface CloudDownloads extends CloudMachineDownloads {
    /**
     * Base URL of a registry that mirrors every image, such as `http://mirror.example:5000`.
     * @default each image's own registry
     */
    registryMirror?: string;
}

/**
 * Everything that machines of an architecture download: what is given, and otherwise what projects publish.
 *
 * @throws if a checksum is neither given nor known: says how to print it, and where to add it
 */
export function cloudDownloads(given: CloudDownloads, version: string, architecture: Architecture): NodeDownloads {
    const { otherKubelets, otherCniPlugins, containerRuntime, otherContainerRuntimes, registryMirror } = given;
    const kubelet = (of: string, { urls, sha256 }: KubeletDownload = {}, ...path: Path): Download => {
        const published = publishedKubelet(of, architecture);
        const known = sha256 ?? knownKubeletChecksum(of, architecture);
        if (known === undefined) {
            throw unknownChecksum([...path, "sha256"], `kubelet ${of}`, architecture, `${published}.sha256`);
        }
        return { urls: urls ?? [published], sha256: known };
    };
    const runtime = ({ containerd, runc }: ContainerRuntimeDownloads, ...path: Path): ContainerRuntime => {
        const published = publishedContainerd(architecture);
        const { urls = [published], sha256 } = containerd;
        if (sha256 === undefined) {
            const option = [...path, "containerd", "sha256"];
            throw unknownChecksum(option, "containerd's archive", architecture, `${published}.sha256sum`);
        }
        return { containerd: { urls, sha256 }, runc: { ...publishedRunc(architecture), ...runc } };
    };
    const { urls, sha256 } = publishedCniPlugins(architecture);
    return {
        kubelet: kubelet(version, given.kubelet, "kubelet"),
        ...(otherKubelets && {
            otherKubelets: Object.fromEntries(
                Object.entries(otherKubelets).map(([other, download]) => {
                    requireKubernetesVersion(`a key of ${downloadsOption(architecture)}.otherKubelets`, other);
                    return [other, kubelet(other, download, "otherKubelets", other)];
                }),
            ),
        }),
        cniPlugins: given.cniPlugins ?? { urls, sha256 },
        ...(otherCniPlugins && { otherCniPlugins }),
        ...(containerRuntime && { containerRuntime: runtime(containerRuntime, "containerRuntime") }),
        ...(otherContainerRuntimes && {
            otherContainerRuntimes: otherContainerRuntimes.map((each, index) =>
                runtime(each, "otherContainerRuntimes", index),
            ),
        }),
        ...(registryMirror && { registryMirror }),
    };
}

/** Keys and indices that lead to an option of `downloads`. */
type Path = readonly (string | number)[];

function unknownChecksum(path: Path, what: string, architecture: Architecture, url: string): Error {
    const all = architecture === "arm64" ? ["arm64", ...path] : path;
    const isName = (key: string | number) => /^[a-z]\w*$/i.test(`${key}`);
    const option = all.map((key) => (isName(key) ? `.${key}` : `[${JSON.stringify(key)}]`)).join("");
    const value = all.reduceRight<string>((inner, key) => {
        if (typeof key === "number") return `[${inner}]`;
        return `{ ${isName(key) ? key : JSON.stringify(key)}: ${inner} }`;
    }, '"…"');
    const legal = `that of ${what} for ${architecture}, which this release of Tradewind does not know`;
    return new Error(
        [
            invalid(`downloads${option}`, legal, "nothing").message,
            "Add it to the arguments of the cluster in a program:",
            `  downloads: ${value},`,
            "or to the configuration of a stack:",
            `  tradewind:downloads: ${value}`,
            "This command prints it:",
            `  curl -fsSL ${url}`,
        ].join("\n"),
    );
}
