"use strict";

// JavaScript, so that a kept build can run without loading anything that compiles TypeScript.
const { createHash } = require("node:crypto");
const { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } = require("node:fs");
const { dirname, join } = require("node:path");

/** Where npm packages keep caches; `npm ci` empties it. */
const FOLDER = join(__dirname, "../node_modules/.cache/tradewind");

exports.keptOrBuilt = function keptOrBuilt(name, build) {
    return exports.kept(name) ?? exports.keep(name, build());
};

exports.kept = function kept(name) {
    const path = pathOf(name);
    try {
        const file = readFileSync(path, "utf8");
        const end = file.indexOf("\n");
        // The header is on a line of its own.
        const { text: hash, stamps } = JSON.parse(file.slice(0, end));
        const text = file.slice(end + 1);
        const isAsItWas = Object.entries(stamps).every(([input, stamp]) => stampOf(input) === stamp);
        const isWhole = isAsItWas && sha256(text) === hash;
        return isWhole ? { text, map: () => readFileSync(`${path}.map`, "utf8") } : undefined;
    } catch {
        return undefined;
    }
};

// If nothing can be written, the next run builds again.
exports.keep = function keep(name, { text, map, inputs }) {
    const path = pathOf(name);
    try {
        mkdirSync(dirname(path), { recursive: true });
        // A file that appears next to another may change what an import resolves to.
        const folders = new Set(inputs.map(dirname).filter((folder) => !folder.includes("node_modules")));
        const stamps = Object.fromEntries([...inputs, ...folders].map((input) => [input, stampOf(input)]));
        if (map !== undefined) {
            write(`${path}.map`, map);
        }
        write(path, `${JSON.stringify({ text: sha256(text), stamps })}\n${text}`);
    } catch {}
    return { text, map: () => map };
};

function write(path, text) {
    const temporary = `${path}.${process.pid}`;
    writeFileSync(temporary, text);
    renameSync(temporary, path);
}

/** Changes whenever the file or folder may have changed: reading and hashing all files takes ten times as long. */
function stampOf(path) {
    const { size, mtimeMs, ctimeMs } = statSync(path);
    return `${size} ${mtimeMs} ${ctimeMs}`;
}

/** Packages may be shared with or copied to another checkout. */
function pathOf(name) {
    return join(FOLDER, `${name}-${sha256(__dirname).slice(0, 16)}.js`);
}

function sha256(data) {
    return createHash("sha256").update(data).digest("hex");
}
