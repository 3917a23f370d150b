import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** Where npm packages keep what can be made anew; `npm ci` empties it. */
const FOLDER = join(__dirname, "../node_modules/.cache/tradewind-agents");

/** Names a bundle by all that decides its bytes: the agent, the files of this folder (how it is built is among them), the builder. */
export function bundleKey(name: string): string {
    const { version } = require("esbuild/package.json");
    const sources = readdirSync(__dirname, { recursive: true, encoding: "utf8" })
        .sort()
        .filter((path) => statSync(join(__dirname, path)).isFile())
        .map((path) => [path, hashOf(path)]);
    return sha256(JSON.stringify([name, version, sources]));
}

/** What lies in front of a kept bundle, on a line of its own. */
interface Header {
    readonly bundle: string;
    /** Hashes of the sources that lie outside this folder, such as those of packages, by their paths from it. */
    readonly outside: Readonly<Record<string, string>>;
}

/** The bundle that was kept under a key, if it is there and whole, and all that it was made of is as it was. */
export function keptBundle(key: string): string | undefined {
    try {
        const [first = "", ...lines] = readFileSync(pathOf(key), "utf8").split("\n");
        const text = lines.join("\n");
        const { bundle, outside }: Header = JSON.parse(first);
        const isAsItWas = Object.entries(outside).every(([path, hash]) => hashOf(path) === hash);
        return isAsItWas && sha256(text) === bundle ? text : undefined;
    } catch {
        return undefined;
    }
}

/** Keeps a bundle for the next run; where nothing can be written, that one builds it anew. `inputs` are full paths. */
export function keepBundle(key: string, text: string, inputs: readonly string[]): void {
    const path = pathOf(key);
    const temporary = `${path}.${process.pid}`;
    const paths = inputs.map((input) => relative(__dirname, input)).filter((input) => input.startsWith(".."));
    const outside = Object.fromEntries(paths.map((input) => [input, hashOf(input)]));
    try {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(temporary, `${JSON.stringify({ bundle: sha256(text), outside } satisfies Header)}\n${text}`);
        renameSync(temporary, path);
    } catch {}
}

/** Hash of a file, by its path from this folder. */
function hashOf(path: string): string {
    return sha256(readFileSync(join(__dirname, path)));
}

function pathOf(key: string): string {
    return join(FOLDER, `${key}.js`);
}

function sha256(data: string | Buffer): string {
    return createHash("sha256").update(data).digest("hex");
}
