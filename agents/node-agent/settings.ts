import { join } from "node:path";
import { kubeletSettingsDirectory } from "./layout";

/** How a kubelet is set, beside what is a machine's own. */
export interface KubeletSettings {
    /** Another one with other contents. It names a directory. */
    readonly id: string;
    /** KubeletConfiguration, as JSON. */
    readonly configuration: string;
    /** They win over the machine's own: `--v=2`. */
    readonly flags: readonly string[];
}

/** Its files, by their paths in the directory of kubelets. Those of others stay beside them, to be gone back to. */
export function settingsFiles({ id, configuration, flags }: KubeletSettings): Record<string, string> {
    const path = (name: string) => join(kubeletSettingsDirectory, id, name);
    return { [path("config.json")]: configuration, [path("flags")]: flags.map((flag) => `${flag}\n`).join("") };
}
