import { readdirSync } from "node:fs";
import { join } from "node:path";

/** Of a log, and of what it was when it was rotated. */
const logName = /^(\d+)\.log/;

/**
 * The starts of a pod's container that its machine knows of, each by a name of its own.
 *
 * Each start has its own log, `<namespace>_<name>_<uid>/<container>/<restart count>.log`, which the runtime makes right
 * before the process: what ended a moment later, or with the kubelet not knowing, is there too.
 *
 * @param podLogs - `/var/log/pods`
 * @param pod - `<namespace>_<name>`, of any UID
 */
export function containerStarts(podLogs: string, pod: string, container: string): string[] {
    return namesIn(podLogs)
        .filter((folder) => folder.startsWith(`${pod}_`))
        .flatMap((folder) =>
            namesIn(join(podLogs, folder, container)).flatMap((name) => {
                const [, count] = logName.exec(name) ?? [];
                return count === undefined ? [] : [`${folder}/${count}`];
            }),
        );
}

function namesIn(folder: string): string[] {
    try {
        return readdirSync(folder);
    } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") {
            return [];
        }
        throw error;
    }
}
