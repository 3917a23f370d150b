import * as pulumi from "@pulumi/pulumi";

/** Turns an error of validation into one without a stack trace: the reader wrote a configuration, not this program. */
export function userErrors<T>(program: () => T): T {
    try {
        return program();
    } catch (error) {
        throw new pulumi.RunError((error as Error).message);
    }
}
