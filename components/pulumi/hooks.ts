import { AsyncResource } from "node:async_hooks";
import * as pulumi from "@pulumi/pulumi";

/**
 * A hook's function in the context of the program that creates it. The engine calls hooks from outside, where an
 * Automation API program has no engine to log to.
 */
export function inProgram<Args, Result>(hook: (args: Args) => Result): (args: Args) => Result {
    return AsyncResource.bind(hook);
}

/** Resource for a log message, if only its URN is known. */
export function withUrn(urn: string): pulumi.Resource {
    return { urn: pulumi.output(urn) } as pulumi.Resource;
}

/** All hooks of some bindings, in their order. */
export function joinHooks(...bindings: readonly pulumi.ResourceHookBinding[]): pulumi.ResourceHookBinding {
    const joined: Record<string, unknown[]> = {};
    for (const [when, hooks] of bindings.flatMap((each) => Object.entries(each))) {
        joined[when] = [...(joined[when] ?? []), ...hooks];
    }
    return joined as pulumi.ResourceHookBinding;
}
