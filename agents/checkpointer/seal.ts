import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checkpointFiles } from "./plan";

/** A file of a checkpoint that is not as it was saved, as after a power cut. */
export interface Damage {
    readonly generation: string;
    /** Relative to the generation's directory. */
    readonly file: string;
    /** `is empty`. */
    readonly problem: string;
}

type Content = string | Uint8Array;

/**
 * SHA-256 of every file but the metadata, in the format of `sha256sum`, so that a machine can check them at boot
 * without the checkpointer. The manifest is last: without it, the list was cut.
 */
export function sumsOf(manifest: Content, others: ReadonlyMap<string, Content>): string {
    return [...others, [checkpointFiles.manifest, manifest] as const]
        .map(([path, content]) => `${sha256(content)}  ${path}\n`)
        .join("");
}

const sealLine = '  "sha256"';

/** Metadata as JSON whose last field is the SHA-256 of the lines before. */
export function seal(metadata: object): string {
    const lines = `${JSON.stringify(metadata, null, 2).replace(/\n}$/, "")},\n`;
    return `${lines}${sealLine}: "${sha256(lines)}"\n}\n`;
}

/** Sealed metadata; undefined if it is damaged. */
export function unseal<Metadata extends object>(text: string): Metadata | undefined {
    try {
        const metadata: (Metadata & { readonly sha256?: string }) | null = JSON.parse(text);
        if (typeof metadata !== "object" || metadata === null) return undefined;
        const lines = text.slice(0, text.lastIndexOf(sealLine));
        return metadata.sha256 === sha256(lines) ? metadata : undefined;
    } catch {
        return undefined;
    }
}

/** Every file of a checkpoint that is not as it was saved. */
export function damageOf(home: string, generation: string): Damage[] {
    const directory = join(home, generation);
    const damage: Damage[] = [];
    const check = (file: string, isWhole: (content: Buffer) => boolean) => {
        const problem = problemOf(join(directory, file), isWhole);
        if (problem !== undefined) damage.push({ generation, file, problem });
    };
    check(checkpointFiles.metadata, (content) => unseal(content.toString()) !== undefined);
    let sums: readonly Sum[] = [];
    check(checkpointFiles.sums, (content) => {
        const parsed = parseSums(content.toString());
        sums = parsed ?? [];
        return parsed !== undefined;
    });
    for (const { sum, path } of sums) check(path, (content) => sha256(content) === sum);
    return damage;
}

interface Sum {
    readonly sum: string;
    readonly path: string;
}

/** Undefined if it is damaged. */
function parseSums(text: string): readonly Sum[] | undefined {
    const lines = text.split("\n");
    const sums = lines.slice(0, -1).map((line) => /^([0-9a-f]{64}) {2}(.+)$/.exec(line));
    const isWhole = lines.at(-1) === "" && sums.at(-1)?.[2] === checkpointFiles.manifest && !sums.includes(null);
    return isWhole ? sums.map((match) => ({ sum: match![1]!, path: match![2]! })) : undefined;
}

function problemOf(path: string, isWhole: (content: Buffer) => boolean): string | undefined {
    try {
        const content = readFileSync(path);
        if (isWhole(content)) return undefined;
        return content.length === 0 ? "is empty" : "is cut or has other bytes";
    } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        // Without the permission to read it, nothing is known about it.
        if (code === "EACCES" || code === "EPERM") return undefined;
        return code === "ENOENT" || code === "ENOTDIR" ? "is missing" : `cannot be read (${code})`;
    }
}

function sha256(content: Content): string {
    return createHash("sha256").update(content).digest("hex");
}
