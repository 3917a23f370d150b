import * as pulumi from "@pulumi/pulumi";

/** One that is shown as it is: the SDK would put the property that waits for it in front, and a stack trace behind. */
export function plainError(text: string): Error {
    const error = new pulumi.RunError(text);
    error.stack = text;
    return Object.defineProperty(error, "message", { get: () => text, set: () => undefined });
}
