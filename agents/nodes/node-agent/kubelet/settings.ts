import { createHash } from "node:crypto";
import { join } from "node:path";
import { kubeletSettingsDirectory } from "../layout";

/** How a kubelet is set, beside what is a machine's own. */
export interface KubeletSettings {
    /** Another one with other contents. It names a file. */
    readonly id: string;
    /** KubeletConfiguration, as JSON. */
    readonly configuration: string;
    /** They win over the machine's own: `--v=2`. */
    readonly flags: readonly string[];
}

/** The file of flags by which the kubelet-wrapper sets a kubelet, one on each line. */
export function flagsFile(id: string): string {
    return join(kubeletSettingsDirectory, `flags-${id}`);
}

/**
 * The files of settings, by their paths in the directory of kubelets. Those of others stay beside them, to be gone back to.
 * A configuration has a name of its own, so that another flag is all that changes with another flag.
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
