import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { plugins } from "../../simulator/plugins/list";
import { installStandIn } from "../../simulator/plugins/stand-in";

let home: Promise<string> | undefined;

/** The engine's home folder with our stand-ins, shared by all tests of a process and removed with it. */
export function pulumiHome(): Promise<string> {
    home ??= install();
    return home;
}

async function install(): Promise<string> {
    const dir = mkdtempSync(join(tmpdir(), "tradewind-home-"));
    process.once("exit", () => rmSync(dir, { recursive: true, force: true }));
    for (const plugin of plugins()) {
        await installStandIn(plugin, join(dir, "plugins", `${plugin.kind}-${plugin.name}-v${plugin.version}`));
    }
    return dir;
}
