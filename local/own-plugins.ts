import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { installPlugins } from "../simulator/plugins/install";
import { ownPulumiHome, PROJECT_DIR, pulumiCli } from "./pulumi";
import type { ClusterState } from "./state";

/** Installs this checkout's plugins in a cluster's own `PULUMI_HOME`. */
export async function installOwnPlugins(state: ClusterState, print: (line: string) => void): Promise<void> {
    await installPlugins({ pulumiHome: ownPulumiHome(state), pulumi: pulumiCli(), print });
    mkdirSync(ownPulumiHome(state), { recursive: true });
    writeFileSync(checkoutFile(state), PROJECT_DIR);
}

/** The same, if another checkout installed them or there are none yet. */
export async function requireOwnPlugins(state: ClusterState): Promise<void> {
    const path = checkoutFile(state);
    if (existsSync(path) && readFileSync(path, "utf8") === PROJECT_DIR) return;
    await installOwnPlugins(state, () => undefined);
}

function checkoutFile(state: ClusterState): string {
    return join(ownPulumiHome(state), "checkout");
}
