import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import type { BuildOptions } from "esbuild";
import { type Build, keptOrBuilt } from "./kept-builds.cjs";

const isSource = __filename.endsWith(".ts");
const bundles = new Map<string, string>();

/** Folders under agents/ of the agents that run on nodes and in the cluster, by program name. */
export const AGENTS = {
    "await-name": "boot/await-name",
    bootstrap: "boot/bootstrap",
    "bootstrap-receiver": "boot/receiver",
    "bootstrap-report": "boot/report",
    checkpointer: "checkpointer",
    "etcd-certificates": "etcd/certificates",
    "etcd-join": "etcd/join",
    "etcd-keeper": "etcd/keeper",
    "etcd-pod": "etcd/pod",
    "etcd-update": "etcd/update",
    "metrics-proxy": "metrics-proxy",
    "node-agent": "nodes/node-agent",
    "node-approver": "nodes/approver",
    "node-cleaner": "nodes/cleaner",
    "node-demotion": "nodes/demotion",
    "node-promoter": "nodes/promoter",
    "node-removal": "nodes/removal",
    "node-repairer": "nodes/repairer",
    "reboot-approver": "nodes/reboot-approver",
    "secrets-rewrite": "secrets-rewrite",
    "serving-approver": "nodes/serving-approver",
    "upgrade-guard": "upgrade-guard",
} as const;

export type AgentName = keyof typeof AGENTS;

/**
 * An agent's program as a single CommonJS file that only needs Node 22.
 *
 * Not minified, because operators may have to read it on the machine. The same sources give the same bytes, wherever the
 * checkout is.
 */
export function bundleAgent(name: AgentName): string {
    const text =
        bundles.get(name) ?? (isSource ? keptOrBuilt(`agent-${name}`, () => buildAgent(name)).text : read(name));
    bundles.set(name, text);
    return text;
}

/** Hex SHA-256 of an agent's program, to name it by content. */
export function agentHash(name: AgentName): string {
    return createHash("sha256").update(bundleAgent(name)).digest("hex");
}

/** The npm package contains the bundles built for the release. */
function read(name: string): string {
    return brotliDecompressSync(readFileSync(join(__dirname, "../agents/bundles", `${name}.js.br`))).toString("utf8");
}

/** Bundles an agent from its sources; returns the inputs too. */
export function buildAgent(name: AgentName): Build {
    // Loaded lazily: it takes longer than anything else a preview does with an agent.
    const { buildSync } = require("esbuild") as typeof import("esbuild");
    const folder = join(__dirname, "../agents", AGENTS[name]);
    const options = {
        absWorkingDir: folder,
        entryPoints: ["main.ts"],
        bundle: true,
        write: false,
        metafile: true,
        platform: "node",
        target: "node22",
        format: "cjs",
        charset: "utf8",
        legalComments: "none",
        // Independent of the checkout's compiler settings and its surroundings, such as linked packages.
        tsconfigRaw: {},
        preserveSymlinks: true,
    } as const satisfies BuildOptions;
    const {
        outputFiles: [output],
        metafile,
    } = buildSync(options);
    if (!output) throw new Error(`esbuild wrote no bundle of ${name}`);
    const sources = Object.keys(metafile.inputs).map((path) => join(folder, path));
    return { text: output.text, inputs: [...sources, __filename, require.resolve("esbuild/package.json")] };
}
