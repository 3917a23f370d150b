import { closeSync, existsSync, fsyncSync, openSync, readdirSync, rmSync, statSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { syncDirectory } from "../../common/durable";
import type { BootstrapPlan } from "../plan";
import type { Step } from "../run";
import { hasStamp } from "../stamp";

/** Removes what only the bootstrap needed: the CA keys above all. */
export const cleanUp: Step = {
    name: "clean-up",
    run: async ({ plan }) => {
        if (!hasStamp(plan)) {
            throw new Error("the assets must stay until the pivot is recorded on this disk");
        }
        const removed = leftovers(plan);
        removed.forEach(destroy);
        return removed.length > 0 ? `removed ${removed.join(", ")}` : "nothing was left";
    },
};

/** What is left to remove. */
export function leftovers({ directories: { assets, secrets } }: BootstrapPlan): string[] {
    const paths = [
        secrets,
        `${secrets}.next`,
        join(assets, "secrets"),
        join(assets, "manifests"),
        join(assets, "static"),
    ];
    return paths.filter((path) => existsSync(path));
}

function destroy(directory: string): void {
    overwrite(directory);
    rmSync(directory, { recursive: true });
    syncDirectory(dirname(directory));
}

/** A removed file's blocks stay on the disk until they are used again. */
function overwrite(path: string): void {
    const status = statSync(path);
    if (status.isDirectory()) {
        for (const name of readdirSync(path)) {
            overwrite(join(path, name));
        }
        return;
    }
    const descriptor = openSync(path, "r+");
    try {
        writeSync(descriptor, Buffer.alloc(status.size));
        fsyncSync(descriptor);
    } finally {
        closeSync(descriptor);
    }
}
