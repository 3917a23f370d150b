import { randomBytes } from "node:crypto";
import { rmSync, statSync, truncateSync, writeFileSync } from "node:fs";

/** What a power cut, or a failing disk, leaves of a file. */
export const damages: Readonly<Record<string, (path: string) => void>> = {
    emptied: (path) => truncateSync(path, 0),
    "cut in half": (path) => truncateSync(path, Math.floor(statSync(path).size / 2)),
    noise: (path) => writeFileSync(path, randomBytes(Math.max(1, statSync(path).size))),
    missing: (path) => rmSync(path),
};
