// Runs the program next to it, with the same name and `.js`. V8's compiled code of the first run is cached, so that
// later runs start faster; Node 20 has no such cache of its own.
const { createHash } = require("node:crypto");
const { readFileSync, renameSync, writeFileSync } = require("node:fs");
const Module = require("node:module");
const { Script } = require("node:vm");

const path = __filename.replace(/cjs$/, "js");
const compiled = `${path}.${process.version}-${process.arch}`;
const cachedData = readCompiled();
const script = new Script(Module.wrap(readFileSync(path, "utf8")), { filename: path, cachedData });
if (!cachedData || script.cachedDataRejected) process.on("exit", keepCompiled);
script.runInThisContext()(exports, require, module, path, __dirname);

// V8 does not check cached data for damage.
function readCompiled() {
    try {
        const file = readFileSync(compiled);
        const [hash, data] = [file.subarray(0, 32), file.subarray(32)];
        return sha256(data).equals(hash) ? data : undefined;
    } catch {
        return undefined;
    }
}

function keepCompiled() {
    try {
        const data = script.createCachedData();
        writeFileSync(`${compiled}.${process.pid}`, Buffer.concat([sha256(data), data]));
        renameSync(`${compiled}.${process.pid}`, compiled);
    } catch {}
}

function sha256(data) {
    return createHash("sha256").update(data).digest();
}
