import { rmSync } from "node:fs";
import { join } from "node:path";
import { collectLogs } from "../machines";
import { Interrupted } from "./interrupt";
import type { ClusterState } from "./state";

/** Does work on a cluster; if it fails, saves what the machines have to tell and says where. */
export async function withLogs<T>({ name, dir }: ClusterState, work: () => Promise<T>): Promise<T> {
    try {
        return await work();
    } catch (error) {
        if (error instanceof Interrupted) {
            throw error;
        }
        const folder = join(dir, "logs");
        rmSync(folder, { recursive: true, force: true });
        // What went wrong may be the engine itself: the first error is the one to show.
        const machines = await collectLogs(name, folder).catch(() => []);
        const where = machines.length > 0 ? `\nthe logs of every machine are in ${folder}` : "";
        throw new Error(`${(error as Error).message}${where}`, { cause: error });
    }
}
