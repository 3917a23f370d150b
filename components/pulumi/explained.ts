import * as pulumi from "@pulumi/pulumi";
import { takesHooks } from "./engine";
import { inProgram, withUrn } from "./in-program";

/**
 * A hook for the resource options that says what to do about an error of a cloud, which its message leaves open.
 *
 * @param say - returns undefined if it does not know the error
 */
export function explained(
    name: string,
    say: (error: string, args: pulumi.ErrorHookArgs) => string | undefined,
): pulumi.ResourceHookBinding {
    if (pulumi.runtime.isDryRun() || !takesHooks()) return {};
    const explain = async (args: pulumi.ErrorHookArgs) => {
        const text = say(args.errors[0] ?? "", args);
        if (text !== undefined) await pulumi.log.error(text, withUrn(args.urn));
        // Not retried.
        return false;
    };
    return { onError: [new pulumi.ErrorHook(`${name}-explained`, inProgram(explain))] };
}
