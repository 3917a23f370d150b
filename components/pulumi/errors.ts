import * as pulumi from "@pulumi/pulumi";

/** What a cloud answers to a question about an option. Rejects `<option> must be <legal>, got <value>`, and what it said. */
export function lookUp<T>(answer: Promise<T>, option: string, legal: string, value: string): pulumi.Output<T> {
    const asked = answer.catch((error: Error) => {
        throw plainError(`${option} must be ${legal}, got ${value}: ${error.message}`);
    });
    return pulumi.output(asked) as pulumi.Output<T>;
}

/** A user's error, without a stack trace. */
export function checked<T>(check: () => T): T {
    try {
        return check();
    } catch (error) {
        throw plainError((error as Error).message);
    }
}

/**
 * Refuses another value of an option that is chosen once: in preview, with `<option> must stay <value>, got <value>`.
 *
 * @param there - what the state has of it: an output of a resource that ignores changes of the input by the same name
 */
export function mustStay<T>(option: string, wanted: T, there: pulumi.Output<T>): pulumi.Output<T> {
    return there.apply((value) => {
        if (value !== wanted) {
            throw plainError(`${option} must stay ${value}, got ${wanted}: it is chosen once`);
        }
        return value;
    });
}

/** One that is shown as it is: the SDK would put the property that waits for it in front, and a stack trace behind. */
export function plainError(text: string): Error {
    const error = new pulumi.RunError(text);
    error.stack = text;
    return Object.defineProperty(error, "message", { get: () => text, set: () => undefined });
}
