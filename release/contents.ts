import { readdirSync } from "node:fs";
import { join } from "node:path";

/** What users of the package import, by the name after the package's. */
export const MODULES = { ".": "index", "./ignition": "ignition/index" } as const;

/** Programs that the components' Commands run: components/own-program.ts. */
export const PROGRAMS = ["machines/cli", "agents/clean-up/main", "agents/bootstrap-sender/main"] as const;

/** What is loaded for programs in other languages, by plugin/main.cjs. */
export const PLUGIN = "plugin/provider";

/** Commands of `tradewind` that the package is without: they need the simulator, or the program of local clusters. */
export const OF_CHECKOUT: readonly string[] = ["drill"];

/** What `npx tradewind` runs; it loads the bundle of CLI. */
export const BIN = "cli/tradewind.cjs";

/** Folders and files that go along as they are. */
export const BESIDE = [
    "cli/end-with.cjs",
    "machines/image",
    "agents/kept-builds.cjs",
    "agents/kept-builds.d.cts",
    "plugin/main.cjs",
    "plugin/schema.json",
    "PulumiPlugin.yaml",
    "README.md",
    "CHANGELOG.md",
    "LICENSE",
] as const;

/** Agents that run on nodes, each one file then: agents/bundle.ts. */
export function agentNames(root: string): readonly string[] {
    return readdirSync(join(root, "agents"), { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && readdirSync(join(root, "agents", entry.name)).includes("main.ts"))
        .map(({ name }) => name)
        .filter((name) => !PROGRAMS.some((program) => program === `agents/${name}/main`));
}
