import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LocalWorkspace, PulumiCommand, type PulumiFn, type Stack } from "@pulumi/pulumi/automation";
import { plugins } from "../../../simulator/plugins";
import { installStandIn } from "../../../simulator/stand-in";
import { binary } from "./binaries";
import "./own-connections";

const PROJECT = "test";

/** The real engine with our stand-in, its state in a temporary folder. */
export class Engine {
    private readonly root = mkdtempSync(join(tmpdir(), "tradewind-engine-"));
    private count = 0;

    static async start(): Promise<Engine> {
        const engine = new Engine();
        const plugin = plugins().find(({ name }) => name === "kubernetes")!;
        await installStandIn(plugin, join(engine.root, "home", "plugins", `resource-kubernetes-v${plugin.version}`));
        mkdirSync(join(engine.root, "bin"));
        mkdirSync(join(engine.root, "state"));
        symlinkSync(binary("pulumi"), join(engine.root, "bin", "pulumi"));
        return engine;
    }

    /** A new, empty stack. The program may be exchanged by setting `stack.workspace.program`. */
    async stack(program: PulumiFn, environment: Record<string, string> = {}): Promise<Stack> {
        const pulumiCommand = await PulumiCommand.get({ root: this.root, skipVersionCheck: true });
        const envVars = {
            PULUMI_BACKEND_URL: `file://${this.root}/state?metadata=skip`,
            PULUMI_CONFIG_PASSPHRASE: "test",
            PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
            PULUMI_SKIP_UPDATE_CHECK: "true",
            ...environment,
        };
        const args = { projectName: PROJECT, stackName: `test-${this.count++}`, program };
        const pulumiHome = join(this.root, "home");
        return LocalWorkspace.createOrSelectStack(args, { pulumiHome, pulumiCommand, envVars });
    }

    /** The state of a stack as it lies on disk. */
    stateOf(stack: Stack): string {
        return readFileSync(join(this.root, "state", ".pulumi", "stacks", PROJECT, `${stack.name}.json`), "utf8");
    }

    stop(): void {
        rmSync(this.root, { recursive: true, force: true });
    }
}
