import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** Removes the types that no module of the package's users reaches: the compiler writes those of all that runs. */
export function removeUnreachableTypes(folder: string, modules: readonly string[]): void {
    const reached = new Set<string>();
    const waiting = modules.map((name) => resolve(folder, `${name}.d.ts`));
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
        if (reached.has(path)) continue;
        reached.add(path);
        waiting.push(...importsOf(path));
    }
    for (const { name, parentPath } of readdirSync(folder, { withFileTypes: true, recursive: true })) {
        const path = resolve(parentPath, name);
        if (name.endsWith(".d.ts") && !reached.has(path)) rmSync(path);
    }
}

/** Files of types that one names, by `from "./x"`, `import("./x")` or `import "./x"`. */
function importsOf(path: string): string[] {
    const names = [...readFileSync(path, "utf8").matchAll(/(?:from|import)\s*\(?\s*["'](\.[^"']*)["']/g)];
    return names.flatMap(([, name = ""]) => {
        const base = join(dirname(path), name);
        const found = [`${base}.d.ts`, join(base, "index.d.ts")].find((file) => existsSync(file));
        return found === undefined ? [] : [resolve(found)];
    });
}
