import { join } from "node:path";
import { runNode } from "./run-node";

/** `npm run artifacts -- …`: the artifacts' own command line. */
export function main(args: readonly string[]): Promise<number> {
    return runNode(join(__dirname, "../artifacts/cli.ts"), args);
}
