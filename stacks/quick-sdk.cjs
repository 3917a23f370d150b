// Runs our TypeScript, and makes Pulumi's SDK start quickly. Loading is most of what a preview without changes does.
const Module = require("node:module");

// Pulumi's SDK loads the TypeScript compiler and npm's tree reader with its first import, for the serialization of
// functions, which no program here does. They are loaded when they are used.
const LATE = new Set(["typescript", "@npmcli/arborist"]);
const load = Module._load;

Module._load = function (request, parent, ...rest) {
    if (!isOfSdk(parent)) return load.call(this, request, parent, ...rest);
    if (request.endsWith("/debuggable")) return withoutStacks(load.call(this, request, parent, ...rest));
    if (!LATE.has(request)) return load.call(this, request, parent, ...rest);
    let loaded;
    return new Proxy(
        {},
        {
            get(_, name) {
                // Asked for while importing, by the SDK's own import helper.
                if (name === "__esModule") return true;
                loaded ??= load.call(Module, request, parent, ...rest);
                return loaded[name];
            },
        },
    );
};

function isOfSdk(module) {
    return /[\\/]@pulumi[\\/]pulumi[\\/]/.test(module?.filename ?? "");
}

// The SDK notes for each of a thousand promises where it was made, which only PULUMI_DEBUG_PROMISE_LEAKS prints.
function withoutStacks(debuggable) {
    const { debuggablePromise, debugPromiseLeaks } = debuggable;
    if (debugPromiseLeaks || debuggable.isWithoutStacks) return debuggable;
    debuggable.isWithoutStacks = true;
    debuggable.debuggablePromise = (promise, context) => {
        const { stackTraceLimit } = Error;
        Error.stackTraceLimit = 0;
        try {
            return debuggablePromise(promise, context);
        } finally {
            Error.stackTraceLimit = stackTraceLimit;
        }
    };
    return debuggable;
}

// tsx is for our own files: what packages bring is JavaScript, which it would search for things to transpile.
const { _resolveFilename: resolve, _extensions: extensions } = Module;
const loadJavaScript = extensions[".js"];
require("tsx/cjs");
// Node would read the map of every file that has one; the SDK's own reader of maps, which replaces Node's, does not.
process.setSourceMapsEnabled(false);
const { _resolveFilename: resolveByTsx } = Module;
const loadByTsx = extensions[".js"];

Module._resolveFilename = function (request, parent, ...rest) {
    return (isOfPackage(parent?.filename ?? "") ? resolve : resolveByTsx).call(this, request, parent, ...rest);
};
extensions[".js"] = (module, filename) => (isOfPackage(filename) ? loadJavaScript : loadByTsx)(module, filename);

function isOfPackage(filename) {
    return /[\\/]node_modules[\\/]/.test(filename);
}
