import * as pulumi from "@pulumi/pulumi";
import { takesHooks } from "./engine";
import { inProgram, withUrn } from "./hooks";
import { log } from "./log";

/**
 * A hook for the resource options that says what to do about an error of a cloud, which its message leaves open.
 *
 * @param say - returns undefined if it does not know the error
 */
export function explained(name: string, say: (error: string) => string | undefined): pulumi.ResourceHookBinding {
    if (pulumi.runtime.isDryRun() || !takesHooks()) return {};
    const explain = async ({ errors, urn }: pulumi.ErrorHookArgs) => {
        const text = say(errors[0] ?? "");
        if (text !== undefined) await log.error(text, withUrn(urn));
        // Not retried.
        return false;
    };
    return { onError: [new pulumi.ErrorHook(`${name}-explained`, inProgram(explain))] };
}
