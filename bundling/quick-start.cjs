"use strict";

// Starts a command from a single cached file: finding and loading each source and package file separately takes Node five
// times as long, and the TypeScript compiler would have to be loaded first.
const Module = require("node:module");
const { basename, dirname, join } = require("node:path");
const { keep, kept } = require("./kept-builds.cjs");

exports.loadQuickly = async function loadQuickly(entry) {
    const name = `command-${basename(entry, ".ts")}`;
    const bundle = kept(name) ?? (await built(entry, name));
    if (bundle === undefined) {
        require("tsx/cjs");
        return { ...require(entry), stackOf: ({ stack }) => stack };
    }
    const module = new Module(entry);
    module.filename = entry;
    module.paths = Module._nodeModulePaths(dirname(entry));
    module._compile(bundle.text, entry);
    return { ...module.exports, stackOf: ({ stack }) => inSources(stack, entry, bundle.map()) };
};

// What cannot be bundled is run from the sources, which report their own errors.
async function built(entry, name) {
    require("tsx/cjs");
    try {
        return keep(name, await require("./command").bundledCommand(entry));
    } catch {
        return undefined;
    }
}

// Maps a stack trace from the bundle back to the sources.
function inSources(stack, entry, map) {
    const sources = new Module.SourceMap(JSON.parse(map));
    return stack.replaceAll(/([^\s()]+):(\d+):(\d+)/g, (place, path, line, column) => {
        const { originalSource, originalLine, originalColumn } = sources.findEntry(line - 1, column - 1);
        const isOfBundle = path === entry && originalSource !== undefined;
        return isOfBundle ? `${join(dirname(entry), originalSource)}:${originalLine + 1}:${originalColumn + 1}` : place;
    });
}
