import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { CloudName } from "..";
import { type Place, placeOf } from "./place";

const startMilliseconds = 20_000;

/** Services that are starting. */
export interface Starting {
    /** Configuration for their networks' mirrors, available immediately. */
    readonly folder: string;
    /** Resolves when they respond. */
    readonly ready: Promise<void>;
}

/** Starts the services of an account, unless they are running. They end on their own, with the last network. */
export function startServices(cloud: CloudName, accountPath: string): Starting {
    const place = placeOf(accountPath);
    return { folder: place.folder, ready: start(cloud, accountPath, place) };
}

async function start(cloud: CloudName, accountPath: string, place: Place): Promise<void> {
    const deadline = Date.now() + startMilliseconds;
    for (let last = 0; !(await answers(place)); await sleep(100)) {
        if (Date.now() > deadline)
            throw new Error(`the services of the simulated account do not respond: ${place.log}`);
        // One that is about to end may still hold the lock.
        if (Date.now() - last > 3000) {
            launch(cloud, accountPath, place);
            last = Date.now();
        }
    }
}

/** Under a lock that the kernel releases when the process ends: a second process exits at once. */
function launch(cloud: CloudName, accountPath: string, { lock, log }: Place): void {
    const root = join(__dirname, "../../..");
    const node = [process.execPath, "--require", join(root, "node_modules", "tsx", "dist", "cjs", "index.cjs")];
    const program = [...node, join(__dirname, "main.ts"), cloud, accountPath];
    const output = openSync(log, "a", 0o600);
    const child = spawn("flock", ["--nonblock", "--no-fork", lock, ...program], {
        cwd: dirname(accountPath),
        detached: true,
        stdio: ["ignore", output, output],
    });
    closeSync(output);
    child.on("error", () => undefined);
    child.unref();
}

function answers({ socket }: Place): Promise<boolean> {
    return new Promise((resolve) => {
        const attempt = connect(socket);
        attempt.once("connect", () => resolve(true)).once("error", () => resolve(false));
        attempt.once("connect", () => attempt.destroy());
    });
}
