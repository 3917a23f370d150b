import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parse, stringify } from "yaml";
import { PROJECT_DIR, pulumi, pulumiCli, sharedPulumiHome } from "../../../local/pulumi";
import { ensureStack } from "../../../local/stack";
import type { ClusterState } from "../../../local/state";
import { installPlugins } from "../../../simulator/plugins/install";

export interface EmptyProgram {
    readonly name: string;
    readonly title: string;
    /** Runtime in its Pulumi.yaml. */
    readonly runtime: unknown;
}

/** Runs TypeScript the same way as ours, and the way of Pulumi's project template. */
export function emptyPrograms(): EmptyProgram[] {
    const { main, runtime } = parse(readFileSync(join(PROJECT_DIR, "Pulumi.yaml"), "utf8"));
    // The project's paths are relative to the program's folder.
    const nodeargs = runtime.options.nodeargs.replaceAll(/(?<= )\.\.?\/\S+/g, (path: string) =>
        join(PROJECT_DIR, dirname(main), path),
    );
    const options = { ...runtime.options, nodeargs };
    return [
        {
            name: "no-change",
            title: "empty TypeScript program run like ours",
            runtime: { ...runtime, options },
        },
        {
            name: "no-change-of-template",
            title: "empty TypeScript program run like Pulumi's template",
            runtime: "nodejs",
        },
    ];
}

/** Runs work with a preview of a program that only imports the SDK, on the same host with the same CLI and kind of backend. */
export function withEmptyProgram<T>(
    runtime: unknown,
    work: (preview: () => Promise<string>) => Promise<T>,
): Promise<T> {
    return withProgram(runtime, 'import "@pulumi/pulumi";\n', async (run) => {
        await run("up", "--skip-preview", "--yes");
        return work(() => run("preview", "--expect-no-changes"));
    });
}

/** Runs work with a stack of another program, on the same host with the same CLI and kind of backend. */
export async function withProgram<T>(
    runtime: unknown,
    program: string,
    work: (run: (...args: string[]) => Promise<string>) => Promise<T>,
): Promise<T> {
    await installPlugins({ pulumiHome: sharedPulumiHome(), pulumi: pulumiCli(), print: console.error });
    const folder = mkdtempSync(join(tmpdir(), "tradewind-bench-"));
    const inFolder = (name: string) => join(folder, name);
    try {
        symlinkSync(join(PROJECT_DIR, "node_modules"), inFolder("node_modules"));
        writeFileSync(inFolder("package.json"), '{ "name": "empty", "main": "index.ts" }');
        writeFileSync(inFolder("tsconfig.json"), '{ "compilerOptions": { "module": "node16", "target": "es2022" } }');
        writeFileSync(inFolder("Pulumi.yaml"), stringify({ name: "tradewind", runtime }));
        writeFileSync(inFolder("index.ts"), program);
        const state = stateIn(inFolder("state"));
        await ensureStack(state);
        return await work((...args) => pulumi(state, [...args, "--config-file", state.config], folder));
    } finally {
        rmSync(folder, { recursive: true });
    }
}

/** The files of a stack without secrets. */
export function stateIn(dir: string, name = "empty"): ClusterState {
    const inDir = (file: string) => join(dir, file);
    const state = {
        ...{ name, dir, backend: inDir("backend"), passphrase: inDir("passphrase") },
        ...{ config: inDir(`Pulumi.${name}.yaml`), kubeconfig: inDir("kubeconfig"), timeline: inDir("timeline.json") },
    };
    mkdirSync(state.backend, { recursive: true });
    writeFileSync(state.passphrase, "empty");
    return state;
}
