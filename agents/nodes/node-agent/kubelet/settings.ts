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
