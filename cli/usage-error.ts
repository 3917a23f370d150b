/** Bad input on the command line: shown without a stack trace, exit code 2. */
export class UsageError extends Error {
    readonly exitCode = 2;
}

/** The one shape of such an error: `<option> must be <legal>, got <value>`. */
export function invalidOption(option: string, legal: string, value: unknown): UsageError {
    return new UsageError(`${option} must be ${legal}, got ${value === "" ? '""' : value}`);
}
