import { type ParseArgsConfig, parseArgs } from "node:util";
import { UsageError } from "./usage-error";

/** Node's parseArgs, whose errors say it in a line. @param help - the command that prints the help */
export function parseCommandLine<T extends ParseArgsConfig>(help: string, config: T): ReturnType<typeof parseArgs<T>> {
    try {
        return parseArgs(config);
    } catch (error) {
        throw new UsageError(`${(error as Error).message.split(/[.\n]/)[0]}; see ${help}`);
    }
}
