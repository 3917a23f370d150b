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

/** What a preview says about versions that this release was not tested with. */
export function untestedWarnings({ versions: { kubernetes, etcd }, images }: Pick<Cluster, "versions" | "images">) {
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
    return found
        .filter(([, version, tested]) => !isTested(version, tested))
        .map(([option, version, tested, own]) => {
            const untested = `${option}: ${version} was not tested with this release of Tradewind (tested: ${tested.join(", ")})`;
            return own.every((image) => image.includes("@"))
                ? untested
                : `${untested}; its images are pulled by tag, without a known digest`;
        });
}

export function isTested(version: string, tested: readonly string[]): boolean {
    return tested.includes(version);
}

function requirePatchOf(option: string, minors: readonly string[], tested: readonly string[], value: unknown): string {
    const version = typeof value === "string" ? parse(value) : null;
    const isPlain = version !== null && version.version === value && version.prerelease.length === 0;
    if (!isPlain || !minors.includes(minorOf(version.version))) {
        const example = tested.find((each) => minorOf(each) === minors.at(-1));
        throw invalid(option, `a release of ${minors.join(" or ")}, such as ${example}`, value);
    }
    return version.version;
}

function minorsOf(releases: readonly string[]): string[] {
    return [...new Set([...releases].sort(compare).map(minorOf))];
}
