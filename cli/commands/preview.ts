import { readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { previewStack } from "../preview/engine";
import { previewOf } from "../preview/events";
import { isFailed } from "../preview/model";
import { PREVIEW_HELP, type PreviewOptions, parsePreviewOptions } from "../preview/options";
import { forgeOf, post } from "../preview/post";
import { projectName, stacksOf } from "../preview/project";
import { readEvents } from "../preview/read-events";
import { comment, type Previewed } from "../preview/render/comment";
import type { Engine } from "../preview/run-pulumi";
import { PROJECT_DIR, pulumiCli, pulumiEnv } from "../pulumi-env";
import { hasStack } from "../stack";
import { clusterState, localClusters } from "../state";
import { invalidOption } from "../usage-error";

export { PREVIEW_HELP as help } from "../preview/options";

/** `tradewind preview`: 0, or 1 if a preview failed, or a comment could not be posted. */
export async function run(args: readonly string[]): Promise<number> {
    const options = parsePreviewOptions(args);
    if (options.isHelp) {
        process.stdout.write(PREVIEW_HELP);
        return 0;
    }
    if (options.post !== undefined) {
        process.stderr.write(`${await post(options.post, () => forgeOf(process.env))}\n`);
        return 0;
    }
    const { project, stacks } = chosen(options);
    if (options.isList) {
        process.stdout.write(stacks.map(({ stack }) => `${stack}\n`).join(""));
        return 0;
    }
    const previewed: Previewed[] = [];
    for (const { stack, preview } of stacks) {
        // The comment alone is on standard output.
        process.stderr.write(`==> preview of ${stack}\n`);
        previewed.push(await preview());
    }
    const { limit, whole, wholeAt } = options;
    const rest = wholeAt ?? whole ?? "in what `pulumi preview --diff` prints";
    if (whole !== undefined) {
        writeFileSync(whole, comment(previewed, { project, limit: Number.POSITIVE_INFINITY, rest }));
    }
    process.stdout.write(comment(previewed, { project, limit, rest }));
    return previewed.some(({ failure }) => failure !== undefined) ? 1 : 0;
}

interface Chosen {
    readonly project: string;
    readonly stacks: readonly { readonly stack: string; readonly preview: () => Promise<Previewed> }[];
}

function chosen(options: PreviewOptions): Chosen {
    const { name, events, cwd = process.cwd(), changedSince, programs, hasNodeConfigs } = options;
    if (events.length > 0) return fromFiles(events);
    const previewed = (stack: string, engine: Engine) => ({
        stack,
        preview: () => previewStack(stack, engine, hasNodeConfigs),
    });
    if (name !== undefined) {
        const preview = async () => {
            // Local clusters alone need them, and a checkout, which has esbuild.
            const { requireOwnPlugins } = await import("../own-plugins.js");
            await requireOwnPlugins(clusterState(name));
            return previewStack(name, ofLocalCluster(name), hasNodeConfigs);
        };
        requireStack(name);
        return { project: projectName(PROJECT_DIR), stacks: [{ stack: name, preview }] };
    }
    const project = projectName(cwd);
    const all = options.stacks.length > 0 && changedSince === undefined ? [] : stacksOf(cwd, changedSince, programs);
    const stacks =
        options.stacks.length === 0
            ? all
            : options.stacks.filter((stack) => changedSince === undefined || all.includes(stack));
    const engineOf = (stack: string) => ({
        program: "pulumi",
        cwd,
        env: process.env,
        stack: ["--stack", stack],
        config: [],
    });
    return { project, stacks: stacks.map((stack) => previewed(stack, engineOf(stack))) };
}

function requireStack(name: string): void {
    if (!hasStack(clusterState(name))) {
        throw invalidOption(
            "--name",
            `one of this computer's clusters (${localClusters().join(", ") || "none"})`,
            name,
        );
    }
}

function ofLocalCluster(name: string): Engine {
    const state = clusterState(name);
    return {
        program: pulumiCli(),
        cwd: PROJECT_DIR,
        env: pulumiEnv(state),
        stack: ["--stack", name],
        config: ["--config-file", state.config],
    };
}

function fromFiles(files: readonly string[]): Chosen {
    const previews = files.map((file) => {
        const told = readEvents(readFileSync(file, "utf8"), file);
        const preview = previewOf(told, basename(file));
        const previewed = {
            stack: preview.stack,
            preview,
            ...(isFailed(preview) && { failure: "" }),
        };
        return { project: preview.project, stack: preview.stack, preview: async () => previewed };
    });
    return { project: previews[0]?.project ?? "", stacks: previews };
}
