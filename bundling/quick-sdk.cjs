// Runs TypeScript, and speeds up loading Pulumi's SDK, which takes most of the time of a preview without changes.
const { join } = require("node:path");
const Module = require("node:module");
const { setFlagsFromString } = require("node:v8");
const { withLongStrings } = require("./long-strings.cjs");
const { withoutCallers, withoutPositions, withoutStacks } = require("./without-stacks.cjs");

// A program runs for seconds, in which V8 would optimize functions that are hardly called again. By Node's major version, as
// V8 has renamed its thresholds.
const LATE_OPTIMIZATION = {
    20: "--interrupt-budget=1000000",
    22: "--invocation-count-for-turbofan=30000",
    24: "--invocation-count-for-turbofan=30000",
}[process.versions.node.split(".")[0]];
if (LATE_OPTIMIZATION !== undefined) setFlagsFromString(LATE_OPTIMIZATION);

// On its first import, Pulumi's SDK loads modules that these programs do not use: the TypeScript compiler and npm's tree
// reader for serializing functions, the automation API, and tracing. They are loaded on first use instead.
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
// Before each program, the SDK makes V8's debugger track loaded files, to name them when serializing functions. If
// serialization itself loads it, tracking starts at that point.
const WITHOUT_HOOKS = { isInitializedAsync: async () => {} };
const load = Module._load;

Module._load = function (request, parent, ...rest) {
    if (request === "./client" && isOf("@grpc/grpc-js", parent))
        return withoutCallers(load.call(this, request, parent, ...rest));
    if (request === "google-protobuf") return withLongStrings(load.call(this, request, parent, ...rest));
    if (!isOf("@pulumi/pulumi", parent)) return load.call(this, request, parent, ...rest);
    if (request.endsWith("/debuggable")) return withoutStacks(load.call(this, request, parent, ...rest));
    if (/(^|\/)log$/.test(request)) return withQuietDebug(load.call(this, request, parent, ...rest));
    if (request === "source-map-support/register")
        return withMapOfProgram(load.call(this, request, parent, ...rest), parent);
    if (/(^|\/)resource$/.test(request)) return withoutPositions(load.call(this, request, parent, ...rest));
    if (request.endsWith("/closure/v8Hooks")) return WITHOUT_HOOKS;
    return LATE.has(request) ? late(request, parent, rest) : load.call(this, request, parent, ...rest);
};

// Loads a module on first use.
function late(request, parent, rest) {
    let loaded;
    return new Proxy(
        {},
        {
            get(_, name) {
                // Queried during import, by TypeScript's import helper.
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

// The SDK sends four debug messages per resource, which Pulumi discards unless started to show them; our wrapper of the CLI
// knows. One of them contains Pulumi's response with secrets in plain text, which `--debug` would print.
function withQuietDebug(log) {
    const { debug } = log;
    // Undefined while the requiring module is loaded by it in turn.
    if (!debug || debug.isQuiet) return log;
    const isOff = process.env.TRADEWIND_PROGRAM_DEBUG === "false";
    const withoutAnswer = (message) => String(message).replace(/, resp: .*/s, ", resp: [not shown]");
    log.debug = (message, ...rest) => (isOff ? Promise.resolve() : debug(withoutAnswer(message), ...rest));
    log.debug.isQuiet = true;
    return log;
}

// Only the program's map: those of the SDK name files that do not exist, such as `node_modules/@pulumi/resource.ts`. Node 20
// colors such a path for ever, until it runs out of memory for a string: a refused configuration took 20 seconds.
function withMapOfProgram(registered, parent) {
    const retrieveSourceMap = (path) => (path === PROGRAM ? { url: PROGRAM, map: program.map() } : null);
    parent.require("source-map-support").install({ retrieveSourceMap, overrideRetrieveSourceMap: true });
    return registered;
}

// tsx is only needed for our own files: packages contain JavaScript, which tsx would search for code to transpile.
const { _resolveFilename: resolve, _extensions: extensions } = Module;
const loadJavaScript = extensions[".js"];
require("tsx/cjs");
// Node would read every file's source map; the SDK replaces Node's reader with one that does not.
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
