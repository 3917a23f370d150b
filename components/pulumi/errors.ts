import * as pulumi from "@pulumi/pulumi";
import { hasRunEnded } from "./look-ups";

/**
 * Result of a cloud's lookup for an option. Rejects with `<option> must be <legal> (got <value>)` and the cloud's error.
 */
export function lookUp<T>(answer: Promise<T>, option: string, legal: string, value: string): pulumi.Output<T> {
    const asked = answer.catch((error: Error) => {
        if (hasRunEnded(error)) {
            throw plainError(`${option} was not looked up, because the run ended after another error`);
        }
        throw plainError(`${option} must be ${legal} (got ${value}): ${error.message}`);
    });
    return pulumi.output(asked) as pulumi.Output<T>;
}

/** Turns a user's error into one without a stack trace. */
export function checked<T>(check: () => T): T {
    try {
        return check();
    } catch (error) {
        throw plainError((error as Error).message);
    }
}

/**
 * Refuses, at preview, another value of an option that cannot be changed after creation.
 *
 * @param there - current value in the state: an output of a resource that ignores changes of the input of the same name
 */
export function mustStay<T>(option: string, desired: T, there: pulumi.Output<T>): pulumi.Output<T> {
    return there.apply((value) => {
        if (value !== desired) {
            throw plainError(`${option} cannot be changed after creation (is ${value}, got ${desired})`);
        }
        return value;
    });
}

/** An error shown as it is. For other errors, the SDK adds the property that waits for it and a stack trace. */
export function plainError(text: string): Error {
    const error = new pulumi.RunError(text);
    error.stack = text;
    return Object.defineProperty(error, "message", { get: () => text, set: () => undefined });
}
