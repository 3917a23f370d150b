import { ensure } from "../../artifacts";
import { writePrivate } from "../../command-line/private-file";
import { pulumi, pulumiCli, sharedPulumiHome } from "../../local/pulumi";
import { ensureStack, hasStack, stackOutputs } from "../../local/stack";
import { readConfig, type StackConfig, writeConfig } from "../../local/stack-config";
import { type ClusterState, clusterState, createState, removeState } from "../../local/state";
import { makeResumable, operate } from "../../local/up";
import { simulatedAccount } from "../../simulator/clouds/simulated-account";
import { installPlugins } from "../../simulator/plugins/install";
import type { Resource } from "./cost/bill-of-stack";
import type { CloudName } from "./cost/prices";

type Say = (line: string) => void;

/** A stack of its own in a state folder of its own, with the credentials of the environment. */
export class VerifyStack {
    constructor(
        readonly state: ClusterState,
        readonly cloud: CloudName,
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
        if (!hasStack(this.state)) return undefined;
        await makeResumable(this.state, say);
        await operate(
            this.state,
            ["destroy", "--skip-preview", "--yes", "--config-file", this.state.config],
            say,
            environment(),
        );
        return undefined;
    }

    /** Resources that exist in the cloud according to the state, as `<type> <name> (<id>)`. */
    async left(): Promise<string[]> {
        if (!hasStack(this.state)) return [];
        const { deployment }: Export = JSON.parse(await pulumi(this.state, ["stack", "export"]));
        return (deployment?.resources ?? [])
            .filter(({ type, id }) => /^(aws|digitalocean):/.test(type) && id)
            .map(({ type, urn, id }) => `${type.split(":").at(-1)} ${urn.split("::").at(-1)} (${id})`);
    }

    /** Removes the state of a stack that has no resources. */
    forget(): void {
        removeState(this.name);
    }
}

interface Preview {
    readonly steps?: readonly { readonly op: string; readonly newState?: Resource }[];
}

interface Export {
    readonly deployment?: { readonly resources?: readonly Resource[] };
}

/** Real providers are downloaded by Pulumi as usual; those of a simulated cloud are here. */
function environment(): NodeJS.ProcessEnv {
    return simulatedAccount() === undefined ? { PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "false" } : {};
}

export async function openStack(name: string, cloud: CloudName, config: StackConfig): Promise<VerifyStack> {
    await ensure({ only: ["pulumi"], say: console.log });
    await installPlugins({ pulumiHome: sharedPulumiHome(), pulumi: pulumiCli(), print: console.log });
    const state = createState(name);
    writeConfig(state.config, config);
    await ensureStack(state);
    return new VerifyStack(state, cloud);
}

/** Destroys what an earlier run left. */
export async function destroyLeft(name: string, cloud: CloudName): Promise<number> {
    const stack = new VerifyStack(clusterState(name), cloud);
    if (!hasStack(stack.state)) {
        console.log(`nothing to destroy: there is no stack ${name}`);
        return 0;
    }
    await stack.destroy((line) => console.log(`    ${line}`));
    stack.forget();
    console.log(`${name} is destroyed`);
    return 0;
}
