import { type ParseArgsConfig, parseArgs } from "node:util";

/** Node's parseArgs, whose errors say it in a line. @param help - the command that prints the help */
export function parseCommandLine<T extends ParseArgsConfig>(help: string, config: T): ReturnType<typeof parseArgs<T>> {
    try {
        return parseArgs(config);
    } catch (error) {
        throw new UsageError(`${(error as Error).message.split(/[.\n]/)[0]}; see ${help}`);
    }
}

/** Bad input on the command line: shown without a stack trace, exit code 2. */
export class UsageError extends Error {
    readonly exitCode = 2;
}

/** The one shape of such an error: `<option> must be <legal>, got <value>`. */
export function invalidOption(option: string, legal: string, value: unknown): UsageError {
    return new UsageError(`${option} must be ${legal}, got ${value === "" ? '""' : value}`);
}
