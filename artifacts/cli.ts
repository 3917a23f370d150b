import { takeFillLock } from "../cache/file-lock";
import { type Commands, command, commandGroup } from "../command-line/command";
import { type Check, flag, oneOf, values } from "../command-line/parse";
import { ETCD_VERSIONS, type EtcdVersion, KUBERNETES_VERSIONS, type KubernetesVersion, versions } from "../versions";
import { ensure } from "./fill";
import type { Item } from "./item";
import { itemsFor, selectItems, testItems } from "./items";
import { etcd, kubernetes, node, parts, pause, testParts } from "./lock";
import { CacheRecord } from "./record";

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

function versionOf<T extends string>(legal: readonly T[]): Check<T> {
    const check = oneOf(legal);
    return { ...check, read: (text) => check.read(text.replace(/^v/, "")) };
}

const asked = {
    kubernetes: values("VERSION", oneOf(KUBERNETES_VERSIONS).legal, versionOf(KUBERNETES_VERSIONS), {
        default: [versions.kubernetes],
        otherwise: versions.kubernetes,
    }),
    etcd: values("VERSION", oneOf(ETCD_VERSIONS).legal, versionOf(ETCD_VERSIONS), {
        default: [versions.etcd],
        otherwise: versions.etcd,
    }),
};

const only = values("GROUP", "only this group and its dependencies, e.g. kubernetes, etcd, rootfs, images");

/** The commands of `npm run artifacts`. */
export const COMMANDS: Commands = {
    fill: {
        summary: "fetch or build what is missing from the cache",
        load: (name, about) => {
            const offline = flag("build from source, without contacting the projects' sites");
            return command({ name, about, options: { ...asked, only, offline } }, async (options) => {
                const groups = options.only.length > 0 ? options.only : undefined;
                await ensure({ ...options, only: groups, way: options.offline ? "offline" : undefined });
                return 0;
            });
        },
    },
    verify: {
        summary: "read everything in the cache and remove damaged items; the next fill recreates them",
        load: (name, about) =>
            command({ name, about, options: { ...asked, only } }, async ({ kubernetes, etcd, only }) => {
                const all = itemsFor(kubernetes, etcd);
                const items = only.length > 0 ? selectItems([...all, ...testItems()], only) : all;
                return report(await verify(items, (line) => process.stderr.write(`${line}\n`)));
            }),
    },
    list: {
        summary: "show what is locked, its licence, and what of it is cached",
        load: (name, about) => command({ name, about, options: asked }, list),
    },
};

/** `npm run artifacts`: the command line of the artifact cache. */
export function main(args: readonly string[]): Promise<number> {
    // Through `exit`, so that child processes end too.
    process.once("SIGINT", () => process.exit(130));
    process.once("SIGTERM", () => process.exit(143));
    const about = "Downloads, builds, checks and lists what clusters are made of.";
    return commandGroup({ name: "npm run artifacts --", about, commands: COMMANDS }).run(args);
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
