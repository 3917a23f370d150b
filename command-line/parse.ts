import { type ParseArgsConfig, parseArgs } from "node:util";

/** Node's parseArgs with one-line errors. @param help - the command that prints the help */
export function parseCommandLine<T extends ParseArgsConfig>(help: string, config: T): ReturnType<typeof parseArgs<T>> {
    try {
        return parseArgs(config);
    } catch (error) {
        throw new UsageError(`${(error as Error).message.split(/[.\n]/)[0]}; see ${help}`);
    }
}

/** A usage error: shown without a stack trace, exit code 2. */
export class UsageError extends Error {
    readonly exitCode = 2;
}

/** The standard error for invalid values: `<option> must be <legal>, got <value>`. */
export function invalidOption(option: string, legal: string, value: unknown): UsageError {
    return new UsageError(`${option} must be ${legal}, got ${value === "" ? '""' : value}`);
}
