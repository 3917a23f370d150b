import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, relative, resolve } from "node:path";
import { parse, stringify } from "yaml";
import { installPaper } from "../../../simulator/paper/install";
import { type Run, type StateResource, Workspace } from "../workspace";
import { givenAway, plain, type SecretValue } from "./secrets";

const stacks = resolve(__dirname, "../../../stacks");

type Config = Readonly<Record<string, unknown>>;

/** A resource of the state, decrypted. */
export interface Resource extends StateResource {
    readonly name: string;
    readonly inputs: Record<string, unknown>;
    readonly outputs: Record<string, unknown>;
}

/** A stack of ours under the real engine, which makes on paper all but keys and certificates. */
export class PaperStack {
    /** What the CLI printed, by what was run, and the engine's events. */
    readonly printed: { readonly by: string; readonly text: string }[] = [];

    private constructor(
        private readonly workspace: Workspace,
        private readonly plugins: string,
    ) {}

    static async create(config: Config): Promise<PaperStack> {
        const plugins = mkdtempSync(join(tmpdir(), "tradewind-paper-"));
        await installPaper(plugins);
        const workspace = await Workspace.create(`module.exports = require(${JSON.stringify(stacks)});`, {
            PATH: [plugins, process.env.PATH].join(delimiter),
            PULUMI_IGNORE_AMBIENT_PLUGINS: "false",
        });
        const stack = new PaperStack(workspace, plugins);
        stack.configure(config);
        return stack;
    }

    /** Sets values beside those that are there. */
    configure(config: Config): void {
        const file = parse(this.workspace.read("Pulumi.test.yaml"));
        this.workspace.write("Pulumi.test.yaml", stringify({ ...file, config: { ...file.config, ...config } }));
    }

    /** Sets a value that the configuration keeps encrypted. */
    async setSecret(path: string, value: string): Promise<void> {
        await this.workspace.pulumi("config", "set", "--secret", "--path", path, value);
    }

    /** With a preview before it. */
    async up(...args: string[]): Promise<Run> {
        const run = await this.workspace.operation("up", "--yes", ...args);
        this.printed.push({ by: "up", text: run.output });
        this.printed.push({ by: "events of up", text: this.workspace.read("events.jsonl") });
        return run;
    }

    async run(...args: string[]): Promise<{ output: string }> {
        const run = await this.workspace.pulumi(...args);
        this.printed.push({ by: args.join(" "), text: run.output });
        return run;
    }

    /** `<what was run>: <secret>` for each that was printed. */
    printedSecrets(secrets: readonly SecretValue[]): string[] {
        return this.printed.flatMap(({ by, text }) => givenAway(text, secrets).map((secret) => `${by}: ${secret}`));
    }

    /** The files of the backend. */
    stored(): { path: string; text: string }[] {
        const folder = join(this.workspace.dir, "state");
        return readdirSync(folder, { recursive: true, withFileTypes: true })
            .filter((entry) => entry.isFile())
            .map(({ parentPath, name }) => join(parentPath, name))
            .map((path) => ({ path: relative(folder, path), text: readFileSync(path, "utf8") }));
    }

    /** What the state holds, decrypted, which is not among what was printed. */
    async resources(): Promise<Resource[]> {
        const { output } = await this.workspace.pulumi("stack", "export", "--show-secrets");
        const { deployment } = JSON.parse(output) as { deployment: { resources: StateResource[] } };
        return deployment.resources.map((resource) => ({
            ...resource,
            name: resource.urn.slice(resource.urn.lastIndexOf("::") + 2),
            inputs: plain(resource.inputs ?? {}) as Record<string, unknown>,
            outputs: plain(resource.outputs ?? {}) as Record<string, unknown>,
        }));
    }

    remove(): void {
        this.workspace.remove();
        rmSync(this.plugins, { recursive: true });
    }
}
