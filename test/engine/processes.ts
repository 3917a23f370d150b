import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** Command lines of processes that were started in a folder or mention it. */
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
                return []; // It has exited meanwhile, or we may not read it.
            }
        });
}
