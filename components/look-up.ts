import * as pulumi from "@pulumi/pulumi";
import { plainError } from "./plain-error";

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
