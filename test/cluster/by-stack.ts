import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { pulumiEnv } from "../../local/pulumi";
import { clusterState } from "../../local/state";
import { type Output, root } from "./cluster";

/**
 * Runs `tradewind` like an operator who has a simulated cluster's stack and its backend.
 *
 * @param cloud - of the account: `aws`
 * @param folder - of programs, before those of PATH. @default none
 */
export async function tradewindByStack(
    [cluster, cloud]: readonly [string, string],
    args: readonly string[],
    folder?: string,
): Promise<Output> {
    const state = clusterState(cluster);
    const account = { TRADEWIND_SIMULATED_ACCOUNT: join(state.dir, `${cloud}.json`) };
    const theirs = pulumiEnv(state, [], { ...process.env, ...account });
    const env = { ...theirs, ...(folder && { PATH: `${folder}:${theirs.PATH}` }) };
    const all = ["dev/run.cjs", "tradewind", ...args, "--stack", cluster];
    return promisify(execFile)("node", all, { cwd: root, env, maxBuffer: 64 << 20 });
}
