import type { Manifest } from "./manifest";
import type { PodSpec } from "./manifests/pod";
import type { Cluster } from "./model";

/** The type of container-selinux for containers that may use the host, which privileged ones get by themselves. */
const superPrivileged = { type: "spc_t" };

/**
 * With SELinux, gives pods that mount directories of their host a type that may access them: other containers may only
 * access files that were labelled for them. It is a no-op where the OS has no SELinux.
 *
 * Relabelling the directories would be no alternative: programs of the host use the same files.
 */
export function forSelinux({ selinux }: Pick<Cluster, "selinux">, manifest: Manifest): Manifest {
    if (!selinux) return manifest;
    return inPods(manifest) as Manifest;
}

/** Changes each pod spec in an object: a workload's template, or the pod itself. */
function inPods(value: unknown): unknown {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    if (isPodSpec(value)) return withType(value);
    const nested = ["spec", "template", "jobTemplate"];
    const entries = Object.entries(value).map(([key, each]) => [key, nested.includes(key) ? inPods(each) : each]);
    return Object.fromEntries(entries);
}

function isPodSpec(value: object): value is PodSpec {
    return "containers" in value && Array.isArray(value.containers);
}

function withType(spec: PodSpec): PodSpec {
    const volumes = (spec.volumes ?? []) as readonly { readonly hostPath?: unknown }[];
    if (!volumes.some(({ hostPath }) => hostPath !== undefined)) return spec;
    return { ...spec, securityContext: { ...(spec.securityContext as object), seLinuxOptions: superPrivileged } };
}
