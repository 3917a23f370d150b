import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { binary } from "./kubernetes-fixture/binaries";
import { pulumiHome } from "./pulumi-home";

const CHECKOUT = resolve(__dirname, "../..");
const STACK = "test";

/** The result of one run of the CLI. */
export interface Run {
    readonly exitCode: number;
    /** Standard output and standard error, in order of arrival. */
    readonly output: string;
    /** Number of resources by operation (`create`, `update`, `replace`, `delete`, `same`); the stack counts too. */
    readonly changes: Readonly<Record<string, number>>;
}

/** The run, once it has ended; it must have succeeded. */
export async function succeeded(running: Promise<Run>): Promise<Run> {
    const run = await running;
    assert.equal(run.exitCode, 0, run.output);
    return run;
}

export interface StateResource {
    readonly urn: string;
    readonly type: string;
    readonly id?: string;
    readonly inputs?: Record<string, unknown>;
    readonly outputs?: Record<string, unknown>;
    readonly dependencies?: readonly string[];
    readonly protect?: boolean;
}

let template: Promise<Workspace> | undefined;

/** A Pulumi project in a temporary folder: real CLI, `file://` backend, passphrase, stand-in plugins. */
export class Workspace {
    readonly dir = mkdtempSync(join(tmpdir(), "tradewind-workspace-"));

    private constructor(
        private readonly home: string,
        private readonly env: NodeJS.ProcessEnv = {},
    ) {}

    /**
     * @param program - the text of `index.ts`
     * @param env - added to the CLI's environment
     */
    static async create(program: string, env: NodeJS.ProcessEnv = {}): Promise<Workspace> {
        // A copy of the same empty stack, since creating one takes the CLI half a second.
        template ??= Workspace.initialize();
        const { dir, home } = await template;
        const workspace = new Workspace(home, env);
        cpSync(dir, workspace.dir, { recursive: true });
        workspace.write("index.ts", program);
        return workspace;
    }

    private static async initialize(): Promise<Workspace> {
        const workspace = new Workspace(await pulumiHome());
        process.once("exit", () => workspace.remove());
        mkdirSync(join(workspace.dir, "state"));
        symlinkSync(join(CHECKOUT, "node_modules"), join(workspace.dir, "node_modules"));
        workspace.write("package.json", '{ "name": "test" }');
        workspace.write("Pulumi.yaml", PROJECT);
        const { exitCode, output } = await workspace.pulumi("stack", "init", STACK);
        if (exitCode) throw new Error(output);
        return workspace;
    }

    write(file: string, contents: string): void {
        writeFileSync(join(this.dir, file), contents);
    }

    read(file: string): string {
        return readFileSync(join(this.dir, file), "utf8");
    }

    preview(...args: string[]): Promise<Run> {
        return this.operation("preview", "--diff", ...args);
    }

    up(...args: string[]): Promise<Run> {
        return this.operation("up", "--yes", "--skip-preview", ...args);
    }

    refresh(...args: string[]): Promise<Run> {
        return this.operation("refresh", "--yes", "--skip-preview", ...args);
    }

    destroy(...args: string[]): Promise<Run> {
        return this.operation("destroy", "--yes", "--skip-preview", ...args);
    }

    /** The resources in the state as stored on disk, secrets encrypted. */
    state(): StateResource[] {
        const { checkpoint } = JSON.parse(this.read(`state/.pulumi/stacks/test/${STACK}.json`));
        return checkpoint.latest?.resources ?? [];
    }

    /** The program's outputs, secrets in plain text. */
    async outputs(): Promise<Record<string, unknown>> {
        const { output } = await this.pulumi("stack", "output", "--json", "--show-secrets");
        return JSON.parse(output);
    }

    /** Starts the CLI without waiting for it to exit. */
    start(...args: string[]) {
        return spawn(binary("pulumi"), [...args, "--non-interactive", "--color=never"], {
            cwd: this.dir,
            env: { ...process.env, ...this.environment() },
            stdio: ["ignore", "pipe", "pipe"],
        });
    }

    async pulumi(...args: string[]): Promise<{ exitCode: number; output: string }> {
        const child = this.start(...args);
        let output = "";
        for (const stream of [child.stdout, child.stderr]) {
            stream.setEncoding("utf8").on("data", (text: string) => {
                output += text;
            });
        }
        const exitCode = await new Promise<number>((resolve, reject) => {
            child.once("error", reject);
            child.once("close", (code) => resolve(code ?? -1));
        });
        return { exitCode, output };
    }

    /** The output of a program that runs in the CLI's environment and finds it on its PATH. */
    async printed(program: string, ...args: string[]): Promise<{ exitCode: number; stdout: string; stderr: string }> {
        const inherited = { ...process.env, ...this.environment() };
        const env = { ...inherited, PATH: [dirname(binary("pulumi")), inherited.PATH].join(delimiter) };
        return new Promise((resolve) => {
            const options = { cwd: this.dir, env, maxBuffer: 64 * 2 ** 20 };
            execFile(program, args, options, (error, stdout, stderr) => {
                resolve({ exitCode: error ? Number(error.code) : 0, stdout, stderr });
            });
        });
    }

    /** Deletes the workspace, including its resources: destroy what must not stay first. */
    remove(): void {
        rmSync(this.dir, { recursive: true, force: true });
    }

    /** Runs a command of the CLI that changes something, or previews changes. */
    async operation(...args: string[]): Promise<Run> {
        const events = join(this.dir, "events.jsonl");
        rmSync(events, { force: true });
        const run = await this.pulumi(...args, "--event-log", events);
        return { ...run, changes: summary(events) };
    }

    private environment(): NodeJS.ProcessEnv {
        return {
            PULUMI_HOME: this.home,
            PULUMI_STACK: STACK,
            PULUMI_BACKEND_URL: `file://${join(this.dir, "state")}?metadata=skip`,
            PULUMI_CONFIG_PASSPHRASE: "test",
            PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
            PULUMI_IGNORE_AMBIENT_PLUGINS: "true",
            PULUMI_SKIP_UPDATE_CHECK: "true",
            // Supports `--event-log`.
            PULUMI_DEBUG_COMMANDS: "true",
            ...this.env,
        };
    }
}

const PROJECT = `name: test
runtime:
  name: nodejs
  options:
    typescript: false
    nodeargs: "--require '${CHECKOUT}/bundling/quick-sdk.cjs'"
`;

function summary(events: string): Record<string, number> {
    if (!existsSync(events)) return {};
    const lines = readFileSync(events, "utf8").trim().split("\n");
    return lines.map((line) => JSON.parse(line).summaryEvent?.resourceChanges).findLast(Boolean) ?? {};
}
