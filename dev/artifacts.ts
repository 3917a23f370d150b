import { runProgram } from "../command-line/run-here";

/** `npm run artifacts -- …`: the artifacts' own command line. */
export function main(args: readonly string[]): Promise<number> {
    return runProgram("artifacts/cli.ts", args);
}
