import * as pulumi from "@pulumi/pulumi";

/** What AWS answers to a question about an option. Rejects `<option> must be <legal>, got <value>`, and what AWS said. */
export function lookUp<T>(answer: Promise<T>, option: string, legal: string, value: string): pulumi.Output<T> {
    const asked = answer.catch((error: Error) => {
        throw new pulumi.RunError(`${option} must be ${legal}, got ${value}: ${error.message}`);
    });
    return pulumi.output(asked) as pulumi.Output<T>;
}
