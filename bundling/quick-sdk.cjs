// Runs our TypeScript, and makes Pulumi's SDK start quickly. Loading is most of what a preview without changes does.
const { join } = require("node:path");
const Module = require("node:module");
const { withoutPositions, withoutStacks } = require("./without-stacks.cjs");

// Pulumi's SDK loads with its first import what no program here does: the TypeScript compiler and npm's tree reader for the
// serialization of functions, the automation API, and what sends traces. They are loaded when they are used.
const LATE = new Set([
    ...["typescript", "@npmcli/arborist", "normalize-package-data", "./automation"],
    ...[
        "exporter-zipkin",
        "instrumentation",
        "instrumentation-grpc",
        "resources",
        "sdk-trace-base",
        "sdk-trace-node",
    ].map((name) => `@opentelemetry/${name}`),
]);
// zod loads its messages in every language; ours are in English, which it loads by itself.
const LANGUAGES = /[\\/]locales[\\/]index\.cjs$/;
// Before each program the SDK has V8's debugger follow what is loaded, for the names of files in the serialization of
// functions. Loaded by the serialization itself, it does so from then on.
const WITHOUT_HOOKS = { isInitializedAsync: async () => {} };
const load = Module._load;

Module._load = function (request, parent, ...rest) {
    if (LANGUAGES.test(request) && isOf("zod", parent)) return late(request, parent, rest);
    if (!isOf("@pulumi/pulumi", parent)) return load.call(this, request, parent, ...rest);
    if (request.endsWith("/debuggable")) return withoutStacks(load.call(this, request, parent, ...rest));
    if (/(^|\/)log$/.test(request)) return withQuietDebug(load.call(this, request, parent, ...rest));
    if (request === "source-map-support/register")
        return withMapOfProgram(load.call(this, request, parent, ...rest), parent);
    if (/(^|\/)resource$/.test(request)) return withoutPositions(load.call(this, request, parent, ...rest));
    if (request.endsWith("/closure/v8Hooks")) return WITHOUT_HOOKS;
    return LATE.has(request) ? late(request, parent, rest) : load.call(this, request, parent, ...rest);
};

// Loads a module when something of it is used.
function late(request, parent, rest) {
    let loaded;
    return new Proxy(
        {},
        {
            get(_, name) {
                // Asked for while importing, by the import helper that TypeScript makes.
                if (name === "__esModule") return true;
                loaded ??= load.call(Module, request, parent, ...rest);
                return name === "default" && !loaded.__esModule ? loaded : loaded[name];
            },
        },
    );
}

function isOf(name, module) {
    return (module?.filename ?? "").replaceAll("\\", "/").includes(`/node_modules/${name}/`);
}

// Four messages for each resource, which the engine throws away unless it was started to show them: our CLI knows. One of
// them has the engine's answer in it, with secrets in plain text, and `--debug` shows it.
function withQuietDebug(log) {
    const { debug } = log;
    // Not yet there when the module that asks is needed by it.
    if (!debug || debug.isQuiet) return log;
    const isOff = process.env.TRADEWIND_PROGRAM_DEBUG === "false";
    const withoutAnswer = (message) => String(message).replace(/, resp: .*/s, ", resp: [not shown]");
    log.debug = (message, ...rest) => (isOff ? Promise.resolve() : debug(withoutAnswer(message), ...rest));
    log.debug.isQuiet = true;
    return log;
}

function withMapOfProgram(registered, parent) {
    const map = (path) => (path === PROGRAM ? { url: PROGRAM, map: program.map() } : null);
    parent.require("source-map-support").install({ retrieveSourceMap: map });
    return registered;
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

const PROGRAM = join(__dirname, "../stacks/index.ts");
const loadTypeScript = extensions[".ts"];
let program;
extensions[".ts"] = (module, filename) => {
    if (filename !== PROGRAM) return loadTypeScript(module, filename);
    program = require("./stack-program").bundledProgram(filename);
    module._compile(program.text, filename);
};

function isOfPackage(filename) {
    return /[\\/]node_modules[\\/]/.test(filename);
}
