import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Where npm packages keep what can be made anew; `npm ci` empties it. */
const FOLDER = join(__dirname, "../node_modules/.cache/tradewind");

/** JavaScript that was made of several files. */
export interface Build {
    readonly text: string;
    /** Its source map. @default none */
    readonly map?: string;
    /** Full paths of all files that decide its bytes: how it is built is among them. */
    readonly inputs: readonly string[];
}

/** A build without what only its making needs. */
export interface KeptBuild {
    readonly text: string;
    readonly map: () => string | undefined;
}

/** What lies in front of a kept build, on a line of its own. */
interface Header {
    readonly text: string;
    readonly stamps: Readonly<Record<string, string>>;
}

/** The build of that name which was kept, if it is whole and all that it was made of is as it was; else it is made anew. */
export function keptOrBuilt(name: string, build: () => Build): KeptBuild {
    const path = pathOf(name);
    const text = readKept(path);
    if (text !== undefined) {
        return { text, map: () => readFileSync(`${path}.map`, "utf8") };
    }
    const built = build();
    keep(path, built);
    return { text: built.text, map: () => built.map };
}

function readKept(path: string): string | undefined {
    try {
        const kept = readFileSync(path, "utf8");
        const end = kept.indexOf("\n");
        const { text: hash, stamps }: Header = JSON.parse(kept.slice(0, end));
        const text = kept.slice(end + 1);
        const isAsItWas = Object.entries(stamps).every(([input, stamp]) => stampOf(input) === stamp);
        return isAsItWas && sha256(text) === hash ? text : undefined;
    } catch {
        return undefined;
    }
}

/** Where nothing can be written, the next run builds anew. */
function keep(path: string, { text, map, inputs }: Build): void {
    try {
        mkdirSync(dirname(path), { recursive: true });
        // A file that appears beside another may be what an import means from then on.
        const folders = new Set(inputs.map(dirname).filter((folder) => !folder.includes("node_modules")));
        const stamps = Object.fromEntries([...inputs, ...folders].map((input) => [input, stampOf(input)]));
        if (map !== undefined) {
            write(`${path}.map`, map);
        }
        write(path, `${JSON.stringify({ text: sha256(text), stamps } satisfies Header)}\n${text}`);
    } catch {}
}

function write(path: string, text: string): void {
    const temporary = `${path}.${process.pid}`;
    writeFileSync(temporary, text);
    renameSync(temporary, path);
}

/** Other than before whenever the file or folder may be: reading and hashing all of them takes ten times as long. */
function stampOf(path: string): string {
    const { size, mtimeMs, ctimeMs } = statSync(path);
    return `${size} ${mtimeMs} ${ctimeMs}`;
}

/** The packages may be shared with, or copied to, another checkout. */
function pathOf(name: string): string {
    return join(FOLDER, `${name}-${sha256(__dirname).slice(0, 16)}.js`);
}

function sha256(data: string): string {
    return createHash("sha256").update(data).digest("hex");
}
