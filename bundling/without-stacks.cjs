// What Pulumi's SDK looks up in the stack for each promise and each resource, with the source maps of every file in it: for
// whoever asks for none of it, most of what it does.

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

// Where each resource was made goes into the state, where nobody looks; finding it reads the source map of every file
// that had a part in it.
function withoutPositions(resource) {
    // Not yet there when the module that asks is needed by it.
    if (resource.Resource) resource.Resource.callsites = () => [];
    return resource;
}

module.exports = { withoutPositions, withoutStacks };
