import { readFileSync } from "node:fs";
import { chmod, copyFile, link, mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { binaryPlace, type Source } from "../cache";
import { keyOf } from "./checksum";
import { run } from "./command";
import { download, expand, platform } from "./download";
import { C_COMPILER, GO, goBuild, goBuildInContainer, goFolder } from "./go-build";
import type { Built, Item, Workshop } from "./item";
import type { Part } from "./part";

/** The id of the item that provides a part's binary. */
export function itemId({ name, version, official }: Part, binary: string): string {
    return official?.kind === "binaries" ? `${binary} ${version}` : `${name} ${version}`;
}

/** The items of a part: one per binary if they are released separately, otherwise one for all. */
export function partItems(part: Part): Item[] {
    const binaries = Object.keys(part.go.binaries);
    return part.official?.kind === "binaries"
        ? binaries.map((binary) => partItem(part, itemId(part, binary), [binary]))
        : [partItem(part, itemId(part, part.name), binaries)];
}

function partItem(part: Part, id: string, binaries: readonly string[]): Item {
    const { folder, module, cgo, sources = [] } = part.go;
    const pins = ["go.mod", "go.sum", ...sources].map((name) => readFileSync(join(goFolder(folder), name), "utf8"));
    return {
        id,
        group: part.name,
        lane: "go",
        key: keyOf(part, binaries, pins),
        how: `building from ${module}`,
        tools: [GO, ...(cgo ? C_COMPILER : []), ...(part.go.tools ?? [])],
        official: officialUrls(part, binaries),
        inContainer: isInContainer(part),
        isIntermediate: !part.servedArchive && !part.usedHere && !binaries.some((name) => part.served?.[name]),
        make: async (workshop) => {
            const source = await obtain(part, binaries, workshop);
            return { source, places: await store(part, binaries, source, workshop) };
        },
    };
}

/** The URLs of its release and of the published checksums that are used. */
function officialUrls({ official }: Part, binaries: readonly string[]): string[] {
    if (!official) {
        return [];
    }
    const { kind, url, checksum, sha256 } = official;
    const templates = sha256?.[platform().arch] ? [url] : [url, checksum];
    const names = kind === "binaries" ? binaries : [""];
    return templates.flatMap((template) => names.map((binary) => expand(template, { binary })));
}

/** Puts the binaries in the scratch folder: online the official ones if there are any, otherwise built ones. */
async function obtain(part: Part, binaries: readonly string[], workshop: Workshop): Promise<Source> {
    const { scratch, way } = workshop;
    if (part.official && way === "online") {
        await fetchOfficial(part, binaries, workshop);
        return "official";
    }
    for (const binary of binaries) {
        if (isInContainer(part) && way === "online") await goBuildInContainer(part.go, binary, workshop);
        else await goBuild(part.go, binary, join(scratch, binary));
    }
    return "built";
}

/** A program that uses shared libraries must be built on the machines' Debian. */
function isInContainer({ go, official }: Part): boolean {
    return go.cgo === "dynamic" && official === undefined;
}

async function fetchOfficial(
    { official }: Part,
    binaries: readonly string[],
    { scratch, sites }: Workshop,
): Promise<void> {
    if (official!.kind === "binaries") {
        for (const binary of binaries) {
            await download(official!, binary, join(scratch, binary), { sites });
        }
        return;
    }
    const folder = expand(official!.folder ?? ".");
    await download(official!, "", join(scratch, "archive"), { sites });
    await mkdir(join(scratch, "unpacked"));
    await run("tar", ["-xzf", join(scratch, "archive"), "-C", join(scratch, "unpacked")]);
    for (const binary of [...binaries, ...(official!.extra ?? [])]) {
        await rename(join(scratch, "unpacked", folder, binary), join(scratch, binary));
    }
}

async function store(
    part: Part,
    binaries: readonly string[],
    source: Source,
    workshop: Workshop,
): Promise<Built["places"]> {
    const { scratch, keep } = workshop;
    const places: string[] = [];
    const extra = source === "official" ? (part.official?.extra ?? []) : [];
    if (part.servedArchive) {
        const archive = join(scratch, "archive");
        if (source === "built") {
            await pack(scratch, binaries, archive);
        }
        const place = `files/${expand(part.servedArchive)}`;
        places.push(place);
        await keep(archive, place);
    }
    for (const binary of [...binaries, ...extra]) {
        const file = join(scratch, binary);
        await chmod(file, 0o755);
        if (part.served?.[binary]) {
            const copy = join(scratch, "served");
            await link(file, copy).catch(() => copyFile(file, copy));
            places.push(`files/${part.served[binary]}`);
            await keep(copy, `files/${part.served[binary]}`);
        }
        places.push(binaryPlace(part, binary));
        await keep(file, binaryPlace(part, binary));
    }
    return places;
}

/** The same binaries give the same archive, byte for byte. */
async function pack(folder: string, names: readonly string[], target: string): Promise<void> {
    const same = ["--sort=name", "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner", "--mode=0755"];
    await run("tar", [...same, "--use-compress-program=gzip -n1", "-C", folder, "-cf", target, ...[...names].sort()]);
}
