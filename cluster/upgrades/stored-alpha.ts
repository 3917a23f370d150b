import { createHash } from "node:crypto";
import { entriesOf } from "../flags/rule";
import { apiVersionsOf } from "../flags/values";
import type { Cluster } from "../model";
import type { UpgradeProblem } from "./problem";
import { minorOf } from "./version";

/** Objects of an alpha API, such as `scheduling.k8s.io/v1alpha3`. */
export interface StoredObjects {
    readonly api: string;
    /** Version that they are stored in: the same, or another one of the group. */
    readonly storedAs: string;
    readonly resource: string;
    readonly isNamespaced: boolean;
    /** `namespace/name` of some. */
    readonly names: readonly string[];
    /** Of all. */
    readonly count: number;
}

const flagName = "runtime-config";

/** kube-apiserver itself writes and deletes its objects. */
const internal = "internal.apiserver.k8s.io/v1alpha1";

/** Alpha APIs that a kube-apiserver's flags turn on: by default it serves none. */
export function alphaApis(flags: readonly string[], version: string): string[] {
    const prefix = `--${flagName}=`;
    const values = flags.filter((flag) => flag.startsWith(prefix)).map((flag) => flag.slice(prefix.length));
    const settings = new Map<string, boolean>();
    for (const entry of values.flatMap(entriesOf)) {
        const [name = "", value = "true"] = entry.split("=");
        settings.set(name.trim().split("/").slice(0, 2).join("/"), /^(true|1)$/i.test(value.trim()));
    }
    const isOn = (api: string) => settings.get(api) ?? settings.get("api/alpha") ?? settings.get("api/all") ?? false;
    const known = [...(apiVersionsOf(minorOf(version)) ?? []), ...settings.keys()];
    return [...new Set(known)].filter((api) => /\/v\d+alpha\d+$/.test(api) && api !== internal && isOn(api)).sort();
}

/**
 * Stored objects that the desired kube-apiserver cannot read or does not serve.
 *
 * @param isBack - whether it is of an older minor version
 */
export function storedAlphaProblems(
    stored: readonly StoredObjects[],
    { versions, extraArgs }: Pick<Cluster, "versions" | "extraArgs">,
    isBack: boolean,
): UpgradeProblem[] {
    const desired = versions.kubernetes;
    const readable = apiVersionsOf(minorOf(desired));
    if (readable === undefined) return [];
    const served = alphaApis([`--${flagName}=${extraArgs.kubeApiserver?.[flagName] ?? ""}`], desired);
    return stored.flatMap(({ api, storedAs, resource, isNamespaced, names, count }): UpgradeProblem[] => {
        // An older version with the group version of a beta API may not have this kind in it.
        const canRead = readable.includes(storedAs) && (!isBack || readable.includes(api));
        const isServed = storedAs !== api || served.includes(api);
        if (canRead && isServed) return [];
        const problem = canRead ? "does not serve" : "cannot read";
        const [group, version] = api.split("/");
        const shown = [...names, ...(count > names.length ? ["…"] : [])].join(", ");
        const command = `kubectl delete ${resource}.${version}.${group} --all${isNamespaced ? " --all-namespaces" : ""}`;
        const message = `Kubernetes ${desired} ${problem} ${count} stored ${resource} of ${api} (${shown}): delete them first: ${command}`;
        return [{ check: "removed-apis", message }];
    });
}

/**
 * The version that objects of an API are stored in, by the hash in discovery; undefined if it is one of no known version.
 * Source: `StorageVersionHash` of apiserver.
 */
export function storedVersion(api: string, kind: string, hash: string, version: string): string | undefined {
    const [group] = api.split("/");
    const others = (apiVersionsOf(minorOf(version)) ?? []).filter((each) => each.startsWith(`${group}/`));
    const hashOf = (each: string) => createHash("sha256").update(`${each}/${kind}`).digest().subarray(0, 8);
    return [api, ...others].find((each) => hashOf(each).toString("base64") === hash);
}
