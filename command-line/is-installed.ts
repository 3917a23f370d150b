import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** Whether a program is on PATH or in a system directory, which may not be on a user's PATH; or a file, by its full path. */
export function isInstalled(command: string): boolean {
    const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/sbin", "/usr/bin"];
    const paths = command.startsWith("/") ? [command] : folders.map((folder) => join(folder, command));
    return paths.some((path) => {
        try {
            accessSync(path, command.startsWith("/") ? constants.F_OK : constants.X_OK);
            return true;
        } catch {
            return false;
        }
    });
}
