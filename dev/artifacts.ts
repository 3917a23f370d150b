import { runProgram } from "../command-line/run-here";

/** `npm run artifacts -- …`: the command line of the artifact cache. */
export function main(args: readonly string[]): Promise<number> {
    return runProgram("artifacts/cli.ts", args);
}
