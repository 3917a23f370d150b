import * as pulumi from "@pulumi/pulumi";

/** Properties that every output has but its type lacks. Source: `OutputImpl` of @pulumi/pulumi. */
interface Knowable {
    readonly isKnown: Promise<boolean>;
    promise(): Promise<unknown>;
}

/** Settles with an output, also if it never gets a value because a resource failed. */
export function settled(output: pulumi.Output<unknown>): Promise<unknown> {
    return (output as unknown as Knowable).promise();
}

/** Whether an output has a value, as all have except in previews. */
export function isKnown(output: pulumi.Output<unknown>): Promise<boolean> {
    return (output as unknown as Knowable).isKnown;
}

/** The value of an output. @returns undefined if it is unknown or fails */
export async function knownValue<T>(output: pulumi.Output<T>): Promise<T | undefined> {
    const known = await isKnown(output).catch(() => false);
    return known ? new Promise((resolve) => void output.apply(resolve)) : undefined;
}

/** The outputs that are known in a preview; unknown if none is. */
export function whichAreKnown<T>(outputs: readonly pulumi.Output<T>[]): pulumi.Output<T[]> {
    const known = async () => {
        const are = await Promise.all(outputs.map(isKnown));
        const some = outputs.filter((_, index) => are[index]);
        return pulumi.all(some.length > 0 ? some : [...outputs]);
    };
    return pulumi.output(known()) as pulumi.Output<T[]>;
}

/** Whether Pulumi's mocks stand in for the engine, as in unit tests of programs: no cluster is behind any kubeconfig. */
export function isMocked(): boolean {
    // Source: MockMonitor of @pulumi/pulumi. Its class may be that of another copy of the SDK.
    return "mocks" in (pulumi.runtime.getMonitor() ?? {});
}

/**
 * Whether the engine supports hooks. Pulumi's mocks claim to, but lack the call that runs them: in unit tests of
 * programs that import the components, resources with hooks would never be created.
 */
export function takesHooks(): boolean {
    return (
        typeof (pulumi.runtime.getMonitor() as { registerResourceHook?: unknown })?.registerResourceHook === "function"
    );
}
