// Skips the stack traces that Pulumi's SDK takes for each promise and each resource, including the source maps of every file
// in them, which is most of the SDK's work in a program that does not use them.

// For each of a thousand promises, the SDK records where it was created, which only PULUMI_DEBUG_PROMISE_LEAKS prints.
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

// The location where each resource was created is stored in the state but never used; finding it reads the source map of
// every file involved.
function withoutPositions(resource) {
    // Undefined while the requiring module is loaded by it in turn.
    if (resource.Resource) resource.Resource.callsites = () => [];
    return resource;
}

module.exports = { withoutPositions, withoutStacks };
