import { parseArgs } from "node:util";
import { ensure } from "./fill";
import { itemsFor, selectItems, testItems } from "./items";
import {
    KUBERNETES_VERSIONS,
    type KubernetesVersion,
    kubernetes,
    node,
    parts,
    pause,
    testParts,
    versions,
} from "./lock";
import { CacheRecord } from "./record";
import { verify } from "./verify";

const HELP = `usage: artifacts <command> [options]

  fill      fetch or build what is not in the cache yet
  verify    read everything in the cache and drop what is damaged; the next fill makes it anew
  list      what is locked, under which licence, and what of it is in the cache

  --kubernetes VERSION   ${KUBERNETES_VERSIONS.join(" or ")}; may be given more than once (default ${versions.kubernetes})
  --only GROUP           only this group and what it needs, e.g. kubernetes, etcd, rootfs, images; may be given more than once
  --no-downloads         build all that can be built, ask no project's own site
`;

async function main(): Promise<number> {
    const { positionals, values } = parseArgs({
        allowPositionals: true,
        allowNegative: true,
        options: {
            kubernetes: { type: "string", multiple: true },
            only: { type: "string", multiple: true },
            downloads: { type: "boolean", default: true },
            help: { type: "boolean", default: false },
        },
    });
    const versionsAsked = (values.kubernetes ?? [versions.kubernetes]).map(knownVersion);
    const all = itemsFor(versionsAsked);
    const items = values.only ? selectItems([...all, ...testItems()], values.only) : all;
    const [command] = positionals;
    if (values.help || !command) {
        process.stdout.write(HELP);
        return values.help ? 0 : 2;
    }
    switch (command) {
        case "fill":
            await ensure({ kubernetes: versionsAsked, only: values.only, officialDownloads: values.downloads });
            return 0;
        case "verify":
            return report(await verify(items, (line) => process.stderr.write(`${line}\n`)));
        case "list":
            return list(versionsAsked);
        default:
            throw new Error(`command must be fill, verify or list, got ${command}`);
    }
}

function report(findings: Awaited<ReturnType<typeof verify>>): number {
    for (const { id, state, damaged } of findings) {
        process.stdout.write(`${state.padEnd(8)}  ${id}\n${damaged.map((place) => `          ${place}\n`).join("")}`);
    }
    return findings.every(({ state }) => state === "intact") ? 0 : 1;
}

async function list(asked: readonly KubernetesVersion[]): Promise<number> {
    for (const { name, version, licence, homepage } of [
        ...asked.map(kubernetes),
        ...Object.values({ ...parts, ...testParts }),
        node,
        pause,
    ]) {
        process.stdout.write(`${name.padEnd(20)}${version.padEnd(10)}${licence.padEnd(12)}${homepage}\n`);
    }
    process.stdout.write("\n");
    const record = await CacheRecord.open();
    for (const { id } of [...itemsFor(asked), ...testItems()]) {
        process.stdout.write(`${(record.get(id)?.source ?? "not cached").padEnd(12)}${id}\n`);
    }
    return 0;
}

function knownVersion(version: string): KubernetesVersion {
    const known = KUBERNETES_VERSIONS.find((each) => each === version.replace(/^v/, ""));
    if (!known) {
        throw new Error(`--kubernetes must be ${KUBERNETES_VERSIONS.join(" or ")}, got ${version}`);
    }
    return known;
}

// Through `exit`, so that the programs we run end too.
process.once("SIGINT", () => process.exit(130));
process.once("SIGTERM", () => process.exit(143));

main().then(
    (code) => {
        process.exitCode = code;
    },
    (error: Error) => {
        process.stderr.write(`${error.message}\n`);
        process.exitCode = 1;
    },
);
