import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Way } from "../artifacts/item";
import { AGAIN } from "../artifacts/way";
import { installPlugins } from "../simulator/plugins/install";
import { ownPulumiHome, PROJECT_DIR, pulumiCli } from "./pulumi";
import type { ClusterState } from "./state";

/**
 * Installs this checkout's plugins in a cluster's own `PULUMI_HOME`: online the official ones, offline stand-ins unless
 * official ones are installed.
 * @param way - by default, stand-ins are only installed if the official site is unreachable
 */
export async function installOwnPlugins(state: ClusterState, print: (line: string) => void, way?: Way): Promise<void> {
    const choice = { offline: way === "offline", requireOfficial: way === "online" };
    const installed = installPlugins({ pulumiHome: ownPulumiHome(state), pulumi: pulumiCli(), print, ...choice });
    await installed.catch((error: Error) => {
        throw way === "online" ? new Error(`${error.message}\n${AGAIN}`) : error;
    });
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
