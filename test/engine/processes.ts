import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** Command lines of the processes that were started in, or told of, a folder. */
export function processesOf(folder: string): string[] {
    return readdirSync("/proc")
        .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
        .flatMap((pid) => {
            try {
                const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
                const environment = readFileSync(`/proc/${pid}/environ`, "utf8");
                const place = readlinkSync(`/proc/${pid}/cwd`);
                return [command, environment, place].some((text) => text.includes(folder)) ? [command] : [];
            } catch {
                return []; // It ended meanwhile, or is not ours to look at.
            }
        });
}
