// Runs the program beside it, of the same name with `.js`. What V8 made of it in its first run is kept for the next
// ones, which start in less time; Node 20 cannot do so by itself.
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

// V8 does not check what it is given for damage.
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
