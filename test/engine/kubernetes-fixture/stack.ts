import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LocalWorkspace, PulumiCommand, type PulumiFn, Stack } from "@pulumi/pulumi/automation";
import { pulumiHome } from "../pulumi-home";
import { binary } from "./binaries";
import "./own-connections";

const PROJECT = "test";

/** The real engine with our stand-in, its state in a temporary folder. */
export class Engine {
    private count = 0;

    private constructor(
        private readonly root: string,
        private readonly pulumiCommand: PulumiCommand,
    ) {
        process.once("exit", () => this.stop());
    }

    static async start(): Promise<Engine> {
        const root = mkdtempSync(join(tmpdir(), "tradewind-engine-"));
        mkdirSync(join(root, "bin"));
        mkdirSync(join(root, "state"));
        symlinkSync(binary("pulumi"), join(root, "bin", "pulumi"));
        return new Engine(root, await PulumiCommand.get({ root, skipVersionCheck: true }));
    }

    /** A new, empty stack. The program can be replaced by setting `stack.workspace.program`. */
    async stack(program: PulumiFn, environment: Record<string, string> = {}): Promise<Stack> {
        const workspace = await LocalWorkspace.create({
            program,
            projectSettings: { name: PROJECT, runtime: "nodejs", main: process.cwd() },
            pulumiHome: await pulumiHome(),
            pulumiCommand: this.pulumiCommand,
            envVars: {
                PULUMI_BACKEND_URL: `file://${this.root}/state?metadata=skip`,
                PULUMI_CONFIG_PASSPHRASE: "test",
                PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
                PULUMI_SKIP_UPDATE_CHECK: "true",
                ...environment,
            },
        });
        const stack = await Stack.create(`test-${this.count++}`, workspace);
        // Each would run the CLI once more after every update, and no test needs them.
        workspace.stackOutputs = async () => ({});
        stack.info = async () => undefined;
        return stack;
    }

    /** The state of a stack as stored on disk. */
    stateOf(stack: Stack): string {
        return readFileSync(join(this.root, "state", ".pulumi", "stacks", PROJECT, `${stack.name}.json`), "utf8");
    }

    stop(): void {
        rmSync(this.root, { recursive: true, force: true });
    }
}
