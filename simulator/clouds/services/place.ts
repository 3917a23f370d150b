import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheDir } from "../../../cache";
import { underLock } from "../../../cache/file-lock";
import { SERVICES_SOCKET } from "../../../machines";

/** Paths that an account's services use. */
export interface Place {
    /** Contains the socket: a short path, as a socket's path is limited to 107 bytes. */
    readonly folder: string;
    readonly socket: string;
    /** Held by the services while they run. */
    readonly lock: string;
    /** Next to the account's file. */
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

/** The secret that services sign credentials with: it survives restarts. */
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
