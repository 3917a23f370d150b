import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { resolveCluster } from "../../components/cluster/resolve";
import { collectLogs } from "../../machines";
import type { ReachedCluster } from "../reach-cluster";
import { clusterState } from "../state";
import { askController } from "./ask-controller";
import type { Gathered } from "./gathered";

/**
 * What the machines tell: all of this computer's; of a cloud the controllers, by SSH.
 *
 * Part by part, since a first start that failed early left a part only: machines, but no record of them in the state.
 */
export async function addMachines({ access, machines }: ReachedCluster, found: Gathered): Promise<void> {
    if (machines === undefined) {
        return found.miss("machines", "to ask them, give their stack by --stack");
    }
    const part = (what: string, add: () => Promise<void>) =>
        add().catch((error: Error) => found.miss(what, error.message));
    const { local } = access;
    if (local !== undefined) {
        await part("machines", async () => {
            await machines.ready();
            await addLogs(local, found);
        });
        const { timeline } = clusterState(local);
        if (existsSync(timeline)) found.add("timeline.json", readFileSync(timeline, "utf8"));
        else found.miss("timeline.json", "no start has come to its end yet");
    }
    await part("controllers", async () => {
        const { controllers } = resolveCluster((await machines.record()).options);
        await Promise.all(controllers.names.map((node) => askController(machines.controller(node, 60_000), found)));
    });
}

/** Logs of every machine of this computer, those that are off too. */
async function addLogs(cluster: string, found: Gathered): Promise<void> {
    const folder = mkdtempSync(join(tmpdir(), "tradewind-support-"));
    try {
        await collectLogs(cluster, folder);
        for (const file of readdirSync(folder, { withFileTypes: true, recursive: true })) {
            const path = join(file.parentPath, file.name);
            const name = relative(folder, path);
            // What other namespaces' pods log is their owners'.
            const isOurs = !/[\\/]pods[\\/](?!kube-system_)/.test(name);
            if (file.isFile() && isOurs) found.add(join("machines", name), readFileSync(path, "utf8"));
        }
    } finally {
        rmSync(folder, { recursive: true, force: true });
    }
}
