import * as pulumi from "@pulumi/pulumi";

/**
 * Whether the engine takes hooks. Pulumi's mocks say that they do, and lack the call by which they come: in the tests of who
 * imports the components, what has hooks would never be made.
 */
export function takesHooks(): boolean {
    return (
        typeof (pulumi.runtime.getMonitor() as { registerResourceHook?: unknown })?.registerResourceHook === "function"
    );
}
