import { compare, parse } from "semver";
import { ETCD_VERSIONS, KUBERNETES_VERSIONS } from "../../versions";
import type { Cluster } from "../model";
import { invalid } from "../validate";
import { minorOf } from "./version";

/** Minor versions of which every patch release is supported, oldest first. */
export const kubernetesMinors: readonly string[] = minorsOf(KUBERNETES_VERSIONS);
export const etcdMinors: readonly string[] = minorsOf(ETCD_VERSIONS);

/** A Kubernetes release of a supported minor version. */
export function requireKubernetesVersion(option: string, value: unknown): string {
    return requirePatchOf(option, kubernetesMinors, KUBERNETES_VERSIONS, value);
}

/** An etcd release of a supported minor version. */
export function requireEtcdVersion(option: string, value: unknown): string {
    return requirePatchOf(option, etcdMinors, ETCD_VERSIONS, value);
}

/** Minor versions that Kubernetes no longer fixes, which are only a start for upgrades: it fixes the newest three. */
const endedMinors: readonly string[] = kubernetesMinors.slice(0, -3);

/** What a preview says about versions that get no fixes or that this release was not tested with. */
export function versionWarnings({ versions: { kubernetes, etcd }, images }: Pick<Cluster, "versions" | "images">) {
    const { kubeApiserver, kubeControllerManager, kubeScheduler, kubeProxy } = images;
    const found = [
        [
            "kubernetesVersion",
            kubernetes,
            KUBERNETES_VERSIONS,
            [kubeApiserver, kubeControllerManager, kubeScheduler, kubeProxy],
        ],
        ["etcdVersion", etcd, ETCD_VERSIONS, [images.etcd]],
    ] as const;
    const ended = endedMinors
        .filter((minor) => minor === minorOf(kubernetes))
        .map((minor) => `kubernetesVersion: Kubernetes no longer fixes ${minor}; upgrade (got ${kubernetes})`);
    const untested = found
        .filter(([, version, tested]) => !isTested(version, tested))
        .map(([option, version, tested, own]) => {
            const untested = `${option}: ${version} was not tested with this release of Tradewind (tested: ${tested.join(", ")})`;
            return own.every((image) => image.includes("@"))
                ? untested
                : `${untested}; its images are pulled by tag, without a known digest`;
        });
    return [...ended, ...untested];
}

export function isTested(version: string, tested: readonly string[]): boolean {
    return tested.includes(version);
}

function requirePatchOf(option: string, minors: readonly string[], tested: readonly string[], value: unknown): string {
    const version = typeof value === "string" ? parse(value) : null;
    const isPlain = version !== null && version.version === value && version.prerelease.length === 0;
    if (!isPlain || !minors.includes(minorOf(version.version))) {
        const example = tested.find((each) => minorOf(each) === minors.at(-1));
        const legal = [minors.slice(0, -1).join(", "), minors.at(-1)].filter(Boolean).join(" or ");
        throw invalid(option, `a release of ${legal}, such as ${example}`, value);
    }
    return version.version;
}

function minorsOf(releases: readonly string[]): string[] {
    return [...new Set([...releases].sort(compare).map(minorOf))];
}
