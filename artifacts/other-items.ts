import { createHash } from "node:crypto";
import { chmod, readFile } from "node:fs/promises";
import { join } from "node:path";
import { binaryPlace } from "../cache";
import { keyOf } from "./checksum";
import { run } from "./command";
import { expand, platform } from "./download";
import { C_COMPILER, GO, goFolder, moduleSource } from "./go-build";
import type { Item } from "./item";
import { node, pause } from "./lock";

/** Always compiled: its project publishes it only as an image. */
export const pauseItem: Item = {
    id: `pause ${pause.version}`,
    group: "pause",
    lane: "other",
    isIntermediate: true,
    key: keyOf(pause),
    how: `compiling ${pause.file} of ${pause.module.module}`,
    tools: [GO, ...C_COMPILER],
    make: async ({ scratch, keep }) => {
        const source = await moduleSource(goFolder(pause.module.folder), "k8s.io/kubernetes");
        const binary = join(scratch, "pause");
        const flags = ["-Os", "-Wall", "-static", "-s", `-DVERSION=v${pause.version}`];
        await run("gcc", [...flags, "-o", binary, join(source, pause.file)]);
        await keep(binary, binaryPlace(pause, "pause"));
        return { source: "built", places: [binaryPlace(pause, "pause")] };
    },
};

/** The runtime of our agents on the nodes. */
export const nodeItem: Item = {
    id: `node ${node.version}`,
    group: "node",
    lane: "other",
    isIntermediate: true,
    key: keyOf(node),
    how: `fetching the npm package ${expand(node.package)}`,
    tools: [],
    make: async ({ scratch, keep }) => {
        const name = `${expand(node.package)}@${node.version}`;
        const packed = JSON.parse(await run("npm", ["pack", "--json", "--pack-destination", scratch, name]));
        const archive = join(scratch, packed[0].filename);
        const integrity = `sha512-${createHash("sha512")
            .update(await readFile(archive))
            .digest("base64")}`;
        const expected = node.integrity[platform().x64 as keyof typeof node.integrity];
        if (integrity !== expected) {
            throw new Error(`npm package ${name} must have the checksum ${expected} (got ${integrity})`);
        }
        await run("tar", ["-xzf", archive, "-C", scratch, "package/bin/node"]);
        const binary = join(scratch, "package", "bin", "node");
        await chmod(binary, 0o755);
        await keep(binary, binaryPlace(node, "node"));
        return { source: "official", places: [binaryPlace(node, "node")] };
    },
};
