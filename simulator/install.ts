import { download, findOfficial, isKnownUnreachable, type Official, rememberUnreachable } from "./official";
import { type Plugin, pluginFolder, plugins } from "./plugins";
import { installStandIn, pointTo, removeOurs } from "./stand-in";

export interface InstallOptions {
    /** `PULUMI_HOME` of the runs to come, of one cluster: another's is never changed. */
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
 * Makes every plugin that our programs need available in `pulumiHome`: the official one of the right version, where the
 * person has it or it can be downloaded, else our stand-in. Run the CLI with `PULUMI_IGNORE_AMBIENT_PLUGINS=true`, since
 * the engine takes a plugin on `PATH` whatever its version, and with
 * `PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION=true` where a stand-in is in use.
 */
export async function installPlugins(options: InstallOptions): Promise<InstalledPlugin[]> {
    const { pulumiHome, pulumi, only, offline = false, print = console.error } = options;
    const installed: InstalledPlugin[] = [];
    for (const plugin of plugins().filter(({ name }) => only?.includes(name) ?? true)) {
        const { name, version } = plugin;
        const folder = pluginFolder(pulumiHome, plugin);
        const official =
            (await findOfficial(plugin, pulumiHome, pulumi, print)) ??
            (offline ? undefined : await tryDownload(plugin, pulumi));
        if (official === undefined) await installStandIn(plugin, folder);
        else if (official.isFound) removeOurs(folder);
        else pointTo(official.path, plugin, folder);
        installed.push({ name, version, source: official ? "official" : "stand-in" });
        print(`plugin ${name} ${version}: ${official ? "official" : `stand-in (${reason(plugin, offline)})`}`);
    }
    return installed;
}

async function tryDownload(plugin: Plugin, pulumi: string): Promise<Official | undefined> {
    // The host of a language comes with the CLI alone.
    if (plugin.kind === "language" || isKnownUnreachable()) return undefined;
    const official = await download(plugin, pulumi);
    rememberUnreachable(official === undefined);
    return official;
}

function reason({ kind }: Plugin, offline: boolean): string {
    if (kind === "language") return "this CLI came without the official one";
    return offline ? "downloads are off" : "official one could not be downloaded";
}
