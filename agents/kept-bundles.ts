import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Where npm packages keep what can be made anew; `npm ci` empties it. */
const FOLDER = join(__dirname, "../node_modules/.cache/tradewind-agents");

/** Names a bundle by all that decides its bytes: the agent, the files of this folder (how it is built is among them), the builder. */
export function bundleKey(name: string): string {
    const { version } = require("esbuild/package.json");
    const sources = readdirSync(__dirname, { recursive: true, encoding: "utf8" })
        .sort()
        .filter((path) => statSync(join(__dirname, path)).isFile())
        .map((path) => [path, sha256(readFileSync(join(__dirname, path)))]);
    return sha256(JSON.stringify([name, version, sources]));
}

/** The bundle that was kept under a key, if it is there and whole. */
export function keptBundle(key: string): string | undefined {
    try {
        const [hash, ...lines] = readFileSync(pathOf(key), "utf8").split("\n");
        const text = lines.join("\n");
        return sha256(text) === hash ? text : undefined;
    } catch {
        return undefined;
    }
}

/** Keeps a bundle for the next run; where nothing can be written, that one builds it anew. */
export function keepBundle(key: string, text: string): void {
    const path = pathOf(key);
    const temporary = `${path}.${process.pid}`;
    try {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(temporary, `${sha256(text)}\n${text}`);
        renameSync(temporary, path);
    } catch {}
}

function pathOf(key: string): string {
    return join(FOLDER, `${key}.js`);
}

function sha256(data: string | Buffer): string {
    return createHash("sha256").update(data).digest("hex");
}
