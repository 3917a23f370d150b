import { parseArgs } from "node:util";
import { takeFillLock } from "./file-lock";
import { ensure } from "./fill";
import type { Item } from "./item";
import { itemsFor, selectItems, testItems } from "./items";
import {
    ETCD_VERSIONS,
    type EtcdVersion,
    etcd,
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

/** The output of `npm run artifacts -- --help`. */
export const HELP = `usage: artifacts <command> [options]

  fill      fetch or build what is missing from the cache
  verify    read everything in the cache and remove damaged items; the next fill recreates them
  list      show what is locked, its licence, and what of it is cached

  --kubernetes VERSION   ${KUBERNETES_VERSIONS.join(" or ")}; repeatable (default ${versions.kubernetes})
  --etcd VERSION         ${ETCD_VERSIONS.join(" or ")}; repeatable (default ${versions.etcd})
  --only GROUP           only this group and its dependencies, e.g. kubernetes, etcd, rootfs, images; repeatable
  --no-downloads         build everything that can be built, instead of downloading official releases
`;

/** Result of checking one item. */
interface Finding {
    readonly id: string;
    readonly state: "intact" | "missing" | "outdated" | "damaged";
    /** Files of the cache that differ from their record. */
    readonly damaged: readonly string[];
}

/** Reads every byte of these items; removes damaged files and their records, so that the next fill recreates them. */
export async function verify(items: readonly Item[], say: (line: string) => void): Promise<Finding[]> {
    const release = await takeFillLock(say);
    try {
        const record = await CacheRecord.open();
        const findings: Finding[] = [];
        for (const { id, key } of items) {
            const entry = record.get(id);
            const damaged = await record.damaged(id, true);
            if (damaged.length > 0) {
                await record.forget(id, damaged);
            }
            const state = !entry
                ? "missing"
                : damaged.length > 0
                  ? "damaged"
                  : entry.key !== key
                    ? "outdated"
                    : "intact";
            findings.push({ id, state, damaged });
        }
        return findings;
    } finally {
        release();
    }
}

interface Asked {
    readonly kubernetes: readonly KubernetesVersion[];
    readonly etcd: readonly EtcdVersion[];
}

async function main(): Promise<number> {
    const { positionals, values } = parseArgs({
        allowPositionals: true,
        allowNegative: true,
        options: {
            kubernetes: { type: "string", multiple: true },
            etcd: { type: "string", multiple: true },
            only: { type: "string", multiple: true },
            downloads: { type: "boolean", default: true },
            help: { type: "boolean", default: false },
        },
    });
    const asked = {
        kubernetes: (values.kubernetes ?? [versions.kubernetes]).map((each) =>
            known("--kubernetes", KUBERNETES_VERSIONS, each),
        ),
        etcd: (values.etcd ?? [versions.etcd]).map((each) => known("--etcd", ETCD_VERSIONS, each)),
    };
    const all = itemsFor(asked.kubernetes, asked.etcd);
    const items = values.only ? selectItems([...all, ...testItems()], values.only) : all;
    const [command] = positionals;
    if (values.help || !command) {
        process.stdout.write(HELP);
        return values.help ? 0 : 2;
    }
    switch (command) {
        case "fill":
            await ensure({ ...asked, only: values.only, officialDownloads: values.downloads });
            return 0;
        case "verify":
            return report(await verify(items, (line) => process.stderr.write(`${line}\n`)));
        case "list":
            return list(asked);
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

async function list({ kubernetes: asked, etcd: etcds }: Asked): Promise<number> {
    for (const { name, version, licence, homepage } of [
        ...asked.map(kubernetes),
        ...Object.values({ ...parts, ...testParts }),
        ...etcds.filter((version) => version !== versions.etcd).map(etcd),
        node,
        pause,
    ]) {
        process.stdout.write(`${name.padEnd(20)}${version.padEnd(10)}${licence.padEnd(12)}${homepage}\n`);
    }
    process.stdout.write("\n");
    const record = await CacheRecord.open();
    for (const { id } of [...itemsFor(asked, etcds), ...testItems()]) {
        process.stdout.write(`${(record.get(id)?.source ?? "not cached").padEnd(12)}${id}\n`);
    }
    return 0;
}

function known<T extends string>(option: string, legal: readonly T[], version: string): T {
    const found = legal.find((each) => each === version.replace(/^v/, ""));
    if (!found) {
        throw new Error(`${option} must be ${legal.join(" or ")}, got ${version}`);
    }
    return found;
}

if (require.main === module) {
    // Through `exit`, so that child processes end too.
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
}
