import { existsSync } from "node:fs";
import { ensure } from "../artifacts";
import { confirm } from "../command-line/ask";
import { Interrupted } from "../command-line/interrupt";
import { invalidOption } from "../command-line/parse";
import { destroyCluster, ensureEngine, list } from "../machines";
import { installOwnPlugins } from "./own-plugins";
import { pulumiCli } from "./pulumi";
import { accountResources, hasStack } from "./stack";
import { readConfig } from "./stack-config";
import { Stages } from "./stages";
import { type ClusterState, clusterState, hasState, removeState } from "./state";
import { makeResumable, operate } from "./up";

/** `npm start -- --destroy`: destroys the stack, then any remaining machines, then the state. */
export async function destroy(name: string, isConfirmed: boolean): Promise<number> {
    const state = clusterState(name);
    requireLocal(state);
    await ensureEngine();
    const machines = await list(name);
    if (!hasState(name) && machines.length === 0) {
        console.log(`nothing to destroy: cluster ${name} does not exist`);
        return 0;
    }
    const question = `Destroy the cluster ${name} with its ${machines.length} containers and all data?`;
    // Without a terminal, the option is explicit enough.
    if (!isConfirmed && process.stdin.isTTY && !(await confirm(question))) {
        console.log("cancelled");
        return 1;
    }
    const stages = new Stages(3);
    await stages.run("pulumi destroy", "remove the stack's resources", (say) => destroyStack(state, say));
    await stages.run("machines", "remove remaining machines and their network", () => destroyCluster(name));
    await stages.run("state", state.dir, async () => removeState(name));
    console.log(`\ncluster ${name} destroyed in ${stages.seconds.toFixed(1)} s`);
    return 0;
}

/**
 * The machines of a cluster on a cloud are in an account, and this state may be all that is known of them.
 *
 * @throws UsageError unless the configuration and the state are of a local cluster
 */
export function requireLocal(state: ClusterState): void {
    const { "tradewind:cloud": configured } = readConfig(state.config);
    const cloud = configured ?? "local";
    const others = hasStack(state) ? inAccount(state, configured === "local") : [];
    if (cloud === "local" && others.length === 0) return;
    const where = cloud === "local" ? `one without ${others[0]}` : `not one on ${cloud}`;
    throw invalidOption(
        "--name",
        `a local cluster, ${where} (destroy that with npm run pulumi -- --name ${state.name} destroy)`,
        state.name,
    );
}

/** @param isLocal - whether the configuration says so: then the machines can be removed without a readable state */
function inAccount(state: ClusterState, isLocal: boolean): string[] {
    try {
        return accountResources(state);
    } catch (error) {
        if (isLocal) return [];
        throw error;
    }
}

/** If the stack cannot be destroyed, its machines are still removed: all its resources are on them. */
async function destroyStack(state: ClusterState, say: (line: string) => void): Promise<void> {
    if (!hasStack(state) || !existsSync(state.passphrase)) {
        return say("no stack");
    }
    try {
        if (!existsSync(pulumiCli())) {
            await ensure({ only: ["pulumi"], say });
        }
        await installOwnPlugins(state, () => undefined);
        await makeResumable(state, say, "destroy");
        await operate(state, ["destroy", "--skip-preview", "--yes", "--config-file", state.config], say);
    } catch (error) {
        if (error instanceof Interrupted) {
            throw error;
        }
        say(`${(error as Error).message}; removing the machines anyway`);
    }
}
