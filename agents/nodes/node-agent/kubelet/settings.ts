import { createHash } from "node:crypto";
import { join } from "node:path";
import { kubeletSettingsDirectory } from "../layout";

/** A kubelet's settings, apart from those of its machine. */
export interface KubeletSettings {
    /** Changes with the contents. Used as a file name. */
    readonly id: string;
    /** KubeletConfiguration, as JSON. */
    readonly configuration: string;
    /** Override the machine's own: `--v=2`. */
    readonly flags: readonly string[];
}

/** The file of flags that the kubelet-wrapper uses, one per line. */
export function flagsFile(id: string): string {
    return join(kubeletSettingsDirectory, `flags-${id}`);
}

/**
 * The settings files, by their paths in the kubelets' directory. Those of other settings stay for a revert. A
 * configuration has its own name, so that a changed flag changes nothing but that flag.
 */
export function settingsFiles(
    directory: string,
    { id, configuration, flags }: KubeletSettings,
): Record<string, string> {
    const hash = createHash("sha256").update(configuration).digest("hex").slice(0, 16);
    const config = join(kubeletSettingsDirectory, `config-${hash}.json`);
    const lines = [`--config=${join(directory, config)}`, ...flags];
    return { [config]: configuration, [flagsFile(id)]: lines.map((flag) => `${flag}\n`).join("") };
}

/**
 * Flags whose values a kubelet's state about its pods' CPUs and memory depends on. It writes that state to files, and
 * does not start with other values until they are removed.
 */
export const rememberedFlags = [
    "cpu-manager-policy",
    "cpu-manager-policy-options",
    "eviction-hard",
    "kube-reserved",
    "memory-manager-policy",
    "reserved-cpus",
    "reserved-memory",
    "system-reserved",
    "topology-manager-policy",
    "topology-manager-policy-options",
    "topology-manager-scope",
] as const;

const policies = /^--(cpu|memory|topology)-manager-policy=(?!none$)/i;

/** These flags among a kubelet's, as text; empty if it assigns no CPUs or memory to pods. */
export function rememberedOf(flags: readonly string[]): string {
    const remembered = flags.filter((flag) => rememberedFlags.some((name) => flag.startsWith(`--${name}=`)));
    return remembered.some((flag) => policies.test(flag)) ? remembered.toSorted().join(" ") : "";
}
