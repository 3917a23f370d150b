// Skips the stack traces that Pulumi's SDK takes for each promise and each resource, including the source maps of every file
// in them, which is most of the SDK's work in a program that does not use them.

// For each of a thousand promises, the SDK records where it was created, which only PULUMI_DEBUG_PROMISE_LEAKS prints.
function withoutStacks(debuggable) {
    const { debuggablePromise, debugPromiseLeaks } = debuggable;
    if (debugPromiseLeaks || debuggable.isWithoutStacks) return debuggable;
    debuggable.isWithoutStacks = true;
    debuggable.debuggablePromise = (promise, context) => withoutTraces(() => debuggablePromise(promise, context));
    return debuggable;
}

// The location where each resource was created is stored in the state but never used; finding it reads the source map of
// every file involved.
function withoutPositions(resource) {
    // Undefined while the requiring module is loaded by it in turn.
    if (resource.Resource) resource.Resource.callsites = () => [];
    return resource;
}

// gRPC keeps where each call was made, for the stack of its error. A failed look-up, such as of a name that is still free,
// would map it to the sources, which means parsing the program's source map.
function withoutCallers(client) {
    const { prototype } = client.Client ?? {};
    // Undefined while the requiring module is loaded by it in turn.
    if (prototype === undefined || prototype.isWithoutCallers) return client;
    const { makeUnaryRequest } = prototype;
    prototype.isWithoutCallers = true;
    prototype.makeUnaryRequest = function (...args) {
        return withoutTraces(() => makeUnaryRequest.apply(this, args));
    };
    return client;
}

function withoutTraces(work) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    try {
        return work();
    } finally {
        Error.stackTraceLimit = stackTraceLimit;
    }
}

module.exports = { withoutCallers, withoutPositions, withoutStacks };
