import { createRequire } from "node:module";
import { join } from "node:path";

/** The file of a module of the SDK that is installed where a program or plugin is. */
export function locateModule(module: string, directory: string): string {
    try {
        return createRequire(join(directory, "program.js")).resolve(module);
    } catch {
        throw new Error("It looks like the Pulumi SDK has not been installed. Have you run npm install?");
    }
}
