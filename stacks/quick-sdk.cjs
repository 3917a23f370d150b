// Pulumi's SDK loads the TypeScript compiler and npm's tree reader with its first import, for the serialization of
// functions, which no program here does. Loading them when they are used saves half of a program's start-up.
const Module = require("node:module");

const LATE = new Set(["typescript", "@npmcli/arborist"]);
const load = Module._load;

Module._load = function (request, parent, ...rest) {
    const isSdk = /[\\/]@pulumi[\\/]pulumi[\\/]/.test(parent?.filename ?? "");
    if (isSdk && request.endsWith("/debuggable")) return withoutStacks(load.call(this, request, parent, ...rest));
    if (!isSdk || !LATE.has(request)) return load.call(this, request, parent, ...rest);
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

// The SDK notes for each of thousands of promises where it was made, to be printed with PULUMI_DEBUG_PROMISE_LEAKS alone.
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
