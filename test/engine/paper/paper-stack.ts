import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, relative, resolve } from "node:path";
import { parse, stringify } from "yaml";
import type { AwsCredentials } from "../../../clients/aws/query";
import { installPaper, stayingInside } from "../../../simulator/clouds/dry-run/install";
import { recordWhatIsMet } from "../../met";
import { plain } from "../cloud-secrets/secrets";
import { type Run, type StateResource, Workspace } from "../workspace";
import { type CloudName, openAccount, type PaperAccount } from "./clouds";

const stacks = resolve(__dirname, "../../../stacks");

const ownProgram = `module.exports = require(${JSON.stringify(stacks)});`;

type Config = Readonly<Record<string, unknown>>;

/** A resource of the state, decrypted. */
export interface Resource extends StateResource {
    readonly name: string;
    readonly inputs: Record<string, unknown>;
    readonly outputs: Record<string, unknown>;
}

/**
 * A stack of ours under the real engine, on a simulated cloud that validates its inputs; its machines and everything in
 * the cluster are dry-run. Keys and certificates are real.
 */
export class PaperStack {
    /** The CLI's output, by command, and the engine's events. */
    readonly printed: { readonly where: string; readonly text: string }[] = [];

    private constructor(
        private readonly workspace: Workspace,
        private readonly env: NodeJS.ProcessEnv,
        private readonly folder: string,
        readonly account: PaperAccount,
    ) {}

    /** @param program - the text of `index.ts`. @default - that of our stacks */
    static async create(cloud: CloudName, config: Config, program = ownProgram): Promise<PaperStack> {
        const stack = await PaperStack.open(cloud, program);
        stack.configure(program === ownProgram ? { ...config, "tradewind:cloud": cloud } : config);
        return stack;
    }

    private static async open(cloud: CloudName, program: string): Promise<PaperStack> {
        recordWhatIsMet();
        const folder = mkdtempSync(join(tmpdir(), "tradewind-paper-"));
        const plugins = join(folder, "plugins");
        const account = join(folder, "account.json");
        await installPaper(plugins, { simulatesClouds: true });
        const env: NodeJS.ProcessEnv = {
            PATH: [plugins, process.env.PATH].join(delimiter),
            PULUMI_IGNORE_AMBIENT_PLUGINS: "false",
            NODE_OPTIONS: stayingInside(),
            // Writes the state once per run, not once per resource.
            PULUMI_EXPERIMENTAL: "true",
            PULUMI_SKIP_CHECKPOINTS: "true",
            TRADEWIND_SIMULATED_ACCOUNT: account,
            TRADEWIND_PROGRAM_DEBUG: "false",
            AWS_REGION: "",
            AWS_ACCESS_KEY_ID: "",
            DIGITALOCEAN_TOKEN: "",
        };
        const workspace = await Workspace.create(program, env);
        return new PaperStack(workspace, env, folder, openAccount[cloud](account));
    }

    /** Replaces the program. */
    rewrite(program: string): void {
        this.workspace.write("index.ts", program);
    }

    /** Sets values in addition to existing ones. */
    configure(config: Config): void {
        const path = `Pulumi.${this.name}.yaml`;
        const file = parse(this.workspace.read(path));
        this.workspace.write(path, stringify({ ...file, config: { ...file.config, ...config } }));
    }

    /**
     * Where the program, but no plugin, reaches the services of the account. Its credentials come from an AWS CLI: the
     * simulated provider takes none.
     */
    serveAws(endpoint: string, { accessKeyId, secretAccessKey }: AwsCredentials): void {
        const printed = JSON.stringify({ AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey });
        const cli = join(this.folder, "plugins", "aws");
        writeFileSync(cli, `#!/bin/sh\necho '${printed}'\n`, { mode: 0o755 });
        this.env.AWS_ENDPOINT_URL = endpoint;
    }

    private get name(): string {
        return this.env.PULUMI_STACK ?? "test";
    }

    async rename(name: string): Promise<void> {
        await this.succeed("stack", "rename", name);
        this.env.PULUMI_STACK = name;
    }

    /** Renames to a project of that name in another backend. */
    async move(project: string): Promise<void> {
        const { deployment, ...rest } = JSON.parse((await this.run("stack", "export")).output);
        const text = JSON.stringify({ ...rest, deployment })
            .replaceAll(`urn:pulumi:${this.name}::test::`, `urn:pulumi:${this.name}::${project}::`)
            .replaceAll(`::test-${this.name}"`, `::${project}-${this.name}"`);
        this.workspace.write("moved.json", text);
        this.workspace.write(
            "Pulumi.yaml",
            this.workspace.read("Pulumi.yaml").replace("name: test", `name: ${project}`),
        );
        mkdirSync(join(this.workspace.dir, project));
        this.env.PULUMI_BACKEND_URL = `file://${join(this.workspace.dir, project)}?metadata=skip`;
        await this.succeed("stack", "init", this.name);
        await this.succeed("stack", "import", "--file", "moved.json");
    }

    private async succeed(...args: string[]): Promise<void> {
        const { exitCode, output } = await this.workspace.pulumi(...args);
        if (exitCode) throw new Error(output);
    }

    /** Sets encrypted values of the configuration, by path. */
    async setSecrets(values: Readonly<Record<string, string>>): Promise<void> {
        const pairs = Object.entries(values).flatMap(([path, value]) => ["--secret", `${path}=${value}`]);
        const { exitCode, output } = await this.workspace.pulumi("config", "set-all", "--path", ...pairs);
        if (exitCode) throw new Error(output);
    }

    /** `preview`, `up` or `destroy`; the latter two skip the preview. */
    async operation(command: "preview" | "up" | "refresh" | "destroy", ...args: string[]): Promise<Run> {
        const unasked = command === "preview" ? [] : ["--yes", "--skip-preview"];
        const run = await this.workspace.operation(command, ...unasked, ...args);
        this.printed.push({ where: [command, ...args].join(" "), text: run.output });
        return run;
    }

    /** The same with diffs, and with debug data: events. */
    async debugged(command: "preview" | "up" | "destroy", ...args: string[]): Promise<Run> {
        this.env.TRADEWIND_PROGRAM_DEBUG = "true";
        const run = await this.operation(command, "--diff", ...args);
        this.env.TRADEWIND_PROGRAM_DEBUG = "false";
        this.printed.push({ where: `events of ${command}`, text: this.workspace.read("events.jsonl") });
        return run;
    }

    async run(...args: string[]): Promise<{ output: string }> {
        const run = await this.workspace.pulumi(...args);
        this.printed.push({ where: args.join(" "), text: run.output });
        return run;
    }

    /** Runs another program instead of the CLI, in the same environment. */
    async program(path: string, ...args: string[]) {
        const run = await this.workspace.printed(path, ...args);
        this.printed.push({ where: [path, ...args].join(" "), text: `${run.stdout}\n${run.stderr}` });
        return run;
    }

    /** Leaves the lock of an operation that was killed. */
    leaveLock(): void {
        const folder = this.#locks();
        mkdirSync(folder, { recursive: true });
        const lock = { pid: 1, username: "somebody", hostname: "elsewhere", timestamp: new Date().toISOString() };
        writeFileSync(join(folder, "00000000-0000-0000-0000-000000000000.json"), JSON.stringify(lock));
    }

    /** Whether an operation changes the stack. */
    isLocked(): boolean {
        return existsSync(this.#locks()) && readdirSync(this.#locks()).length > 0;
    }

    #locks(): string {
        return join(this.workspace.dir, "state/.pulumi/locks/organization/test", this.name);
    }

    /** A file next to the configuration. */
    write(file: string, contents: string): void {
        this.workspace.write(file, contents);
    }

    read(file: string): string {
        return this.workspace.read(file);
    }

    /** The engine's events of the last operation, one per line; it masks secrets in them. */
    events(): string {
        return this.workspace.read("events.jsonl");
    }

    /** The backend's files. */
    stored(): { where: string; text: string }[] {
        const folder = join(this.workspace.dir, "state");
        return readdirSync(folder, { recursive: true, withFileTypes: true })
            .filter((entry) => entry.isFile())
            .map(({ parentPath, name }) => join(parentPath, name))
            .map((path) => ({ where: relative(folder, path), text: readFileSync(path, "utf8") }));
    }

    /** Each resource's dependencies, by URN. */
    async dependencies(): Promise<Map<string, readonly string[]>> {
        const { output } = await this.workspace.pulumi("stack", "export");
        const { deployment } = JSON.parse(output) as { deployment: { resources: StateResource[] } };
        return new Map(deployment.resources.map(({ urn, dependencies = [] }) => [urn, dependencies]));
    }

    /** The state with its secrets in plain text; not part of the output. */
    async exported(): Promise<{ deployment: { resources: StateResource[] } }> {
        const { output } = await this.workspace.pulumi("stack", "export", "--show-secrets");
        return JSON.parse(output);
    }

    /** Its contents. */
    async resources(): Promise<Resource[]> {
        const { deployment } = await this.exported();
        return deployment.resources.map((resource) => ({
            ...resource,
            name: resource.urn.slice(resource.urn.lastIndexOf("::") + 2),
            inputs: plain(resource.inputs ?? {}) as Record<string, unknown>,
            outputs: plain(resource.outputs ?? {}) as Record<string, unknown>,
        }));
    }

    remove(): void {
        this.workspace.remove();
        rmSync(this.folder, { recursive: true });
    }
}
