import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The last line on each machine's console, from collected logs: `<folder>/<cluster>/<machine>/console.log`. */
export function lastWords(folder: string): string[] {
    const under = (path: string) => (existsSync(path) ? readdirSync(path).map((name) => join(path, name)) : []);
    return under(folder)
        .flatMap(under)
        .map((machine) => join(machine, "console.log"))
        .filter(existsSync)
        .flatMap((file) => {
            const last = readFileSync(file, "utf8").trimEnd().split("\n").at(-1);
            return last ? [`${file.split("/").at(-2)}: ${last}`] : [];
        });
}
