import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type CloudName, type Place, placeOf } from "./place";

const startMilliseconds = 20_000;

/** Services that are on their way up. */
export interface Starting {
    /** What their networks' mirrors are given at once. */
    readonly folder: string;
    /** When they answer. */
    readonly ready: Promise<void>;
}

/** Starts the services of an account, unless they run. They end by themselves, with the last network. */
export function startServices(cloud: CloudName, accountPath: string): Starting {
    const place = placeOf(accountPath);
    return { folder: place.folder, ready: start(cloud, accountPath, place) };
}

async function start(cloud: CloudName, accountPath: string, place: Place): Promise<void> {
    const deadline = Date.now() + startMilliseconds;
    for (let last = 0; !(await answers(place)); await sleep(100)) {
        if (Date.now() > deadline) throw new Error(`the services of the simulated account do not answer: ${place.log}`);
        // One that is about to end may hold the lock yet.
        if (Date.now() - last > 3000) {
            launch(cloud, accountPath, place);
            last = Date.now();
        }
    }
}

/** Under a lock that the kernel takes away with the process: who comes second ends at once. */
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
