import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { PROJECT_DIR, pulumiCli, pulumiEnv } from "../../local/pulumi";
import { clusterState } from "../../local/state";
import type { Engine } from "./engine";

/** The `pulumi` on PATH, with the project in a folder. */
export function engineOnPath(stack: string, cwd: string): Engine {
    return { program: "pulumi", cwd, env: process.env, stack: ["--stack", stack], config: [] };
}

/** That of a local cluster, with its plugins. Local clusters run in a checkout, whose commands the package does not have. */
export async function localEngine(name: string): Promise<Engine> {
    const run = join(PROJECT_DIR, "dev/run.cjs");
    await promisify(execFile)(process.execPath, [run, "pulumi", "version", "--name", name]);
    const state = clusterState(name);
    return {
        program: pulumiCli(),
        cwd: PROJECT_DIR,
        env: pulumiEnv(state),
        stack: ["--stack", name],
        config: ["--config-file", state.config],
    };
}
