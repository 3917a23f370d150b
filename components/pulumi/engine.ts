import * as pulumi from "@pulumi/pulumi";

/** What every output has, and its type does not tell of. Source: `OutputImpl` of @pulumi/pulumi. */
interface Knowable {
    readonly isKnown: Promise<boolean>;
}

/** Whether an output has a value, as all have but in previews. */
export function isKnown(output: pulumi.Output<unknown>): Promise<boolean> {
    return (output as unknown as Knowable).isKnown;
}

/** Those of several that are known in a preview; unknown where none is. */
export function whichAreKnown<T>(outputs: readonly pulumi.Output<T>[]): pulumi.Output<T[]> {
    const known = async () => {
        const are = await Promise.all(outputs.map(isKnown));
        const some = outputs.filter((_, index) => are[index]);
        return pulumi.all(some.length > 0 ? some : [...outputs]);
    };
    return pulumi.output(known()) as pulumi.Output<T[]>;
}

/**
 * Whether the engine takes hooks. Pulumi's mocks say that they do, and lack the call by which they come: in the tests of who
 * imports the components, what has hooks would never be made.
 */
export function takesHooks(): boolean {
    return (
        typeof (pulumi.runtime.getMonitor() as { registerResourceHook?: unknown })?.registerResourceHook === "function"
    );
}
