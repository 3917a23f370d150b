import * as pulumi from "@pulumi/pulumi";
import { takesHooks } from "./engine";
import { plainError } from "./errors";

/**
 * Options that refuse to create a resource, at preview too, if the cloud would refuse it. Merge them by
 * `pulumi.mergeOptions`.
 *
 * The look-up ends before the resource is registered: one within a hook can deadlock with the engine.
 *
 * @param hook - unique name
 * @param problem - what a look-up found, or undefined; must not reject
 */
export function mustBeNew(hook: string, problem: Promise<string | undefined>): pulumi.CustomResourceOptions {
    if (!takesHooks()) return {};
    const refuse = async () => {
        const text = await problem;
        if (text !== undefined) throw plainError(text);
    };
    return {
        dependsOn: after(problem),
        hooks: { beforeCreate: [new pulumi.ResourceHook(hook, refuse, { onDryRun: true })] },
    };
}

/** For `dependsOn`: a resource is not registered before a look-up has ended. */
export async function after(lookUp: Promise<unknown>): Promise<pulumi.Input<pulumi.Resource>[]> {
    await lookUp;
    return [];
}
