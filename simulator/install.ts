import { join } from "node:path";
import { download, findOfficial, isKnownUnreachable, rememberUnreachable } from "./official";
import { type Plugin, plugins } from "./plugins";
import { installStandIn, removeStandIn } from "./stand-in";

export interface InstallOptions {
    /** `PULUMI_HOME` of the runs to come. */
    readonly pulumiHome: string;
    /** Path of the Pulumi CLI. */
    readonly pulumi: string;
    /** Names of the plugins wanted. @default - all of them */
    readonly only?: readonly string[];
    /** Never try to download. @default false */
    readonly offline?: boolean;
    /** One line for each plugin. @default standard error */
    readonly print?: (line: string) => void;
}

export interface InstalledPlugin {
    readonly name: string;
    readonly version: string;
    readonly source: "official" | "stand-in";
}

/**
 * Makes every plugin that our programs need available in `pulumiHome`: the official one where it is there or can be
 * downloaded, else our stand-in. With any stand-in in use, run the CLI with
 * `PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION=true`.
 */
export async function installPlugins(options: InstallOptions): Promise<InstalledPlugin[]> {
    const { pulumiHome, pulumi, only, offline = false, print = console.error } = options;
    const installed: InstalledPlugin[] = [];
    for (const plugin of plugins().filter(({ name }) => only?.includes(name) ?? true)) {
        const { kind, name, version } = plugin;
        const folder = join(pulumiHome, "plugins", `${kind}-${name}-v${version}`);
        const official =
            findOfficial(plugin, folder, pulumi) !== undefined ||
            (!offline && (await tryDownload(plugin, folder, pulumiHome, pulumi)));
        if (official) removeStandIn(folder);
        else await installStandIn(plugin, folder);
        installed.push({ name, version, source: official ? "official" : "stand-in" });
        print(`plugin ${name} ${version}: ${official ? "official" : `stand-in (${reason(plugin, offline)})`}`);
    }
    return installed;
}

async function tryDownload(plugin: Plugin, folder: string, pulumiHome: string, pulumi: string): Promise<boolean> {
    // The host of a language comes with the CLI alone.
    if (plugin.kind === "language" || isKnownUnreachable()) return false;
    // The CLI would take the folder of a stand-in for an installed plugin.
    removeStandIn(folder);
    const isDownloaded = await download(plugin, pulumiHome, pulumi);
    rememberUnreachable(!isDownloaded);
    return isDownloaded;
}

function reason({ kind }: Plugin, offline: boolean): string {
    if (kind === "language") return "this CLI came without the official one";
    return offline ? "downloads are off" : "official one could not be downloaded";
}
