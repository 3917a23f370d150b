import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ensure } from "../../artifacts";
import { simulatedAccount } from "../../clients/simulated-account";
import type { CloudName } from "../../cluster/clouds";
import { UsageError } from "../../command-line/parse";
import { writePrivate } from "../../command-line/private-file";
import { pulumi, pulumiCli, sharedPulumiHome } from "../../local/pulumi";
import { accountResources, ensureStack, hasStack, stackOutputs } from "../../local/stack";
import { readConfig, type StackConfig, writeConfig } from "../../local/stack-config";
import { type ClusterState, clusterState, createState, removeState } from "../../local/state";
import { makeResumable, operate } from "../../local/up";
import { installPlugins } from "../../simulator/plugins/install";
import { openAccount } from "./account";
import type { Account } from "./account/account";
import { verified } from "./clouds";
import type { Resource } from "./clouds/facts";

type Say = (line: string) => void;

/** A stack of its own in a state folder of its own, with the credentials of the environment. */
export class VerifyStack {
    constructor(
        readonly state: ClusterState,
        readonly cloud: CloudName,
        private readonly account: Account,
    ) {}

    get name(): string {
        return this.state.name;
    }

    get config(): StackConfig {
        return readConfig(this.state.config);
    }

    /** Resources to be created. */
    async preview(): Promise<Resource[]> {
        const args = ["preview", "--json", "--config-file", this.state.config];
        const { steps = [] } = JSON.parse(await pulumi(this.state, args, undefined, environment())) as Preview;
        return steps.flatMap(({ op, newState }) => (op === "create" && newState ? [newState] : []));
    }

    async up(say: Say): Promise<undefined> {
        await operate(
            this.state,
            ["up", "--skip-preview", "--yes", "--config-file", this.state.config],
            say,
            environment(),
        );
        return undefined;
    }

    set(values: StackConfig): void {
        writeConfig(this.state.config, { ...this.config, ...values });
    }

    /** Writes the kubeconfig and returns its path, with the names of nodes that the stack chose. */
    async access(): Promise<{ readonly kubeconfig: string; readonly nodes: readonly string[] }> {
        const { kubeconfig, nodes = [] } = await stackOutputs(this.state);
        writePrivate(this.state.kubeconfig, String(kubeconfig));
        return { kubeconfig: this.state.kubeconfig, nodes: nodes as string[] };
    }

    async destroy(say: Say): Promise<undefined> {
        this.requireItsAccount();
        if (!hasStack(this.state)) return undefined;
        await makeResumable(this.state, say, "destroy");
        await operate(
            this.state,
            ["destroy", "--skip-preview", "--yes", "--config-file", this.state.config],
            say,
            environment(),
        );
        return undefined;
    }

    /** In another account nothing would be found, as if everything had been destroyed. */
    private requireItsAccount(): void {
        const path = accountFile(this.state);
        const its = existsSync(path) ? readFileSync(path, "utf8") : "";
        if (its !== "" && its !== this.account.id) {
            throw new Error(
                `the credentials must be those of the account ${its}, which has the cluster (got ${this.account.id})`,
            );
        }
    }

    /** What the cloud says about the launches of each pool, in lines. Never rejects: it is only shown. */
    async launches(): Promise<string[]> {
        const { launches } = this.account;
        const pools = (this.config["tradewind:workerPools"] ?? []) as readonly { readonly name: string }[];
        if (!launches) return [];
        return Promise.all(
            pools.map(({ name }) => launches(name).catch((error: Error) => `${name}: ${error.message}`)),
        );
    }

    /** What the state says exists, or may exist, in the account. */
    inState(): string[] {
        return hasStack(this.state) ? accountResources(this.state) : [];
    }

    /** What exists in the account, whatever the state says. Rejects if any of it cannot be listed. */
    async inAccount(): Promise<string[]> {
        this.requireItsAccount();
        return this.account.existing();
    }

    /** Health of the targets of the API's load balancers. @default the cloud does not report it */
    get targetHealth(): Account["targetHealth"] {
        return this.account.targetHealth;
    }

    /**
     * Removes the state with its passphrase.
     *
     * @throws Error unless the account has nothing of the cluster
     */
    async forget(): Promise<void> {
        const existing = await this.inAccount();
        if (existing.length > 0) throw new Error(`the account still has ${existing.join(", ")}`);
        removeState(this.name);
    }
}

interface Preview {
    readonly steps?: readonly { readonly op: string; readonly newState?: Resource }[];
}

/** Real providers are downloaded by Pulumi as usual; those of a simulated cloud are here. */
function environment(): NodeJS.ProcessEnv {
    return simulatedAccount() === undefined ? { PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "false" } : {};
}

function accountFile({ dir }: ClusterState): string {
    return join(dir, "account");
}

function regionOf(config: StackConfig, cloud: CloudName): string | undefined {
    const { region } = verified[cloud];
    return region && (config[region.key] as string | undefined);
}

/** @throws UsageError if the account already has such a cluster; nothing is created before it could be searched */
export async function openStack(name: string, cloud: CloudName, config: StackConfig): Promise<VerifyStack> {
    const account = await openAccount(cloud, name, regionOf(config, cloud));
    const existing = await account.existing();
    if (existing.length > 0) {
        throw new UsageError(
            `--name must be one that nothing in the account has (got ${name}, which has ${existing.join(", ")})`,
        );
    }
    await ensure({ only: ["pulumi"], say: console.log });
    await installPlugins({
        ...{ pulumiHome: sharedPulumiHome(), pulumi: pulumiCli(), print: console.log },
        requireOfficial: simulatedAccount() === undefined,
    });
    const state = createState(name);
    writePrivate(accountFile(state), account.id);
    writeConfig(state.config, config);
    await ensureStack(state);
    return new VerifyStack(state, cloud, account);
}

/** The stack of an earlier run. @throws UsageError if it is on another cloud */
export async function reopenStack(name: string, cloud: CloudName): Promise<VerifyStack> {
    const state = clusterState(name);
    const config = readConfig(state.config);
    const { "tradewind:cloud": its = cloud } = config;
    if (its !== cloud) throw new UsageError(`--cloud must be ${its}, which has the cluster ${name} (got ${cloud})`);
    const region = regionOf(config, cloud) ?? process.env[verified[cloud].region?.variable ?? ""];
    return new VerifyStack(state, cloud, await openAccount(cloud, name, region));
}
