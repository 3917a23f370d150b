import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheDir } from "../../../artifacts/cache";
import { underLock } from "../../../artifacts/file-lock";
import { SERVICES_SOCKET } from "../../../machines";

/** Where an account's services have what they need. */
export interface Place {
    /** Has the socket: a short path, since a socket's has at most 107 bytes. */
    readonly folder: string;
    readonly socket: string;
    /** Held by them while they run. */
    readonly lock: string;
    /** Beside the account's file. */
    readonly log: string;
}

export function placeOf(accountPath: string): Place {
    const name = createHash("sha256").update(accountPath).digest("hex").slice(0, 16);
    const folder = join(cacheDir(), "simulated-services", name);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return {
        folder,
        socket: join(folder, SERVICES_SOCKET),
        lock: join(folder, "lock"),
        log: `${accountPath}.services.log`,
    };
}

/** What the services sign credentials with: the same after they were started anew. */
export function secretOf({ folder, lock }: Place): string {
    const file = join(folder, "secret");
    return underLock(`${lock}-of-secret`, () => {
        try {
            return readFileSync(file, "utf8");
        } catch {
            writeFileSync(file, randomBytes(32).toString("hex"), { mode: 0o600 });
            return readFileSync(file, "utf8");
        }
    });
}

export type CloudName = "aws" | "digitalocean";
