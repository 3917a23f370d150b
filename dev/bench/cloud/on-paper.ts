import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { parse, stringify } from "yaml";
import { ensure } from "../../../artifacts";
import type { Resource } from "../../../cli/verify-cloud/clouds/facts";
import { PROJECT_DIR, pulumi, pulumiCli, sharedPulumiHome } from "../../../local/pulumi";
import { ensureStack } from "../../../local/stack";
import type { ClusterState } from "../../../local/state";
import { installPaper, stayingInside } from "../../../simulator/clouds/dry-run/install";
import { installPlugins } from "../../../simulator/plugins/install";
import { stateIn } from "../no-change/empty-program";

export type Config = Readonly<Record<string, unknown>>;

/** A configuration in the checkout, by path. */
export function configOf(path: string): Config {
    return parse(readFileSync(join(PROJECT_DIR, path), "utf8")).config;
}

/** Runs work with simulated clouds on which no resources are created except keys and certificates. */
export async function withPaper<T>(say: (line: string) => void, work: () => Promise<T>): Promise<T> {
    await ensure({ only: ["pulumi"], say });
    await installPlugins({ pulumiHome: sharedPulumiHome(), pulumi: pulumiCli(), print: say });
    const folder = mkdtempSync(join(tmpdir(), "tradewind-paper-"));
    const { PATH, NODE_OPTIONS } = process.env;
    try {
        await installPaper(folder);
        // pulumiEnv searches for them after our own folders, which contain none of these names.
        process.env.PATH = [folder, PATH].join(delimiter);
        process.env.PULUMI_IGNORE_AMBIENT_PLUGINS = "false";
        process.env.NODE_OPTIONS = stayingInside(NODE_OPTIONS);
        return await work();
    } finally {
        process.env.PATH = PATH;
        delete process.env.PULUMI_IGNORE_AMBIENT_PLUGINS;
        if (NODE_OPTIONS === undefined) delete process.env.NODE_OPTIONS;
        else process.env.NODE_OPTIONS = NODE_OPTIONS;
        rmSync(folder, { recursive: true });
    }
}

/** Runs work with a stack of this configuration, created on a simulated cloud. */
export async function withStack<T>(
    name: string,
    config: Config,
    work: (state: ClusterState, resources: readonly Resource[]) => Promise<T>,
): Promise<T> {
    const folder = mkdtempSync(join(tmpdir(), "tradewind-bench-"));
    try {
        const state = stateIn(folder, name);
        await ensureStack(state);
        const written = parse(readFileSync(state.config, "utf8"));
        // No machine of it ever joins.
        writeFileSync(state.config, stringify({ ...written, config: { ...config, "tradewind:joinTimeout": "1s" } }));
        await withoutCheckpoints(() => pulumi(state, ["up", "--skip-preview", "--yes", "--config-file", state.config]));
        const { deployment } = JSON.parse(await pulumi(state, ["stack", "export"]));
        return await work(state, deployment.resources);
    } finally {
        rmSync(folder, { recursive: true });
    }
}

/** The engine writes the state once per run, not once per resource: that takes minutes for hundreds of them. */
export async function withoutCheckpoints<T>(work: () => Promise<T>): Promise<T> {
    const settings = { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" };
    Object.assign(process.env, settings);
    try {
        return await work();
    } finally {
        for (const name of Object.keys(settings)) delete process.env[name];
    }
}
