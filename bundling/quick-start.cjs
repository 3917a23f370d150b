"use strict";

// Starts a command from one file that is kept: Node takes five times as long to find and load each file of ours and of the
// packages, and what makes JavaScript of ours must be loaded first.
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

// What cannot be bundled runs from the sources, or they say what is wrong with them.
async function built(entry, name) {
    require("tsx/cjs");
    try {
        return keep(name, await require("./command").bundledCommand(entry));
    } catch {
        return undefined;
    }
}

// A stack trace with the places in our files in place of those in the bundle.
function inSources(stack, entry, map) {
    const sources = new Module.SourceMap(JSON.parse(map));
    return stack.replaceAll(/([^\s()]+):(\d+):(\d+)/g, (place, path, line, column) => {
        const { originalSource, originalLine, originalColumn } = sources.findEntry(line - 1, column - 1);
        const isOfBundle = path === entry && originalSource !== undefined;
        return isOfBundle ? `${join(dirname(entry), originalSource)}:${originalLine + 1}:${originalColumn + 1}` : place;
    });
}
