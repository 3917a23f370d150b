import { closeSync, openSync, readFileSync, readSync, writeSync } from "node:fs";
import type { Patch } from "./patches";

/** The vDSO of a process, which is a private mapping: writing to a page creates a copy for that process. */
export interface Vdso {
    readonly start: number;
    readonly end: number;
}

/** Its address; undefined for processes without one, such as kernel threads and zombies. */
export function vdsoOf(folder: string): Vdso | undefined {
    const line = /^([0-9a-f]+)-([0-9a-f]+) .*\[vdso\]$/m.exec(readFileSync(`${folder}/maps`, "latin1"));
    return line ? { start: Number.parseInt(line[1]!, 16), end: Number.parseInt(line[2]!, 16) } : undefined;
}

/** The vDSO's address in the auxiliary vector, which is shorter to read than all mappings. */
export function vdsoStartOf(folder: string): number | undefined {
    const words = readFileSync(`${folder}/auxv`);
    for (let at = 0; at + 16 <= words.length; at += 16) {
        // AT_SYSINFO_EHDR
        if (words.readBigUInt64LE(at) === 33n) return Number(words.readBigUInt64LE(at + 8)) || undefined;
    }
    return undefined;
}

export function readMemory(folder: string, start: number, length: number): Buffer {
    return withMemory(folder, "r", (memory) => readAll(memory, start, length));
}

/** Whether a vDSO has those bytes. */
export function has(folder: string, start: number, patches: readonly Patch[]): boolean {
    return withMemory(folder, "r", (memory) =>
        patches.every(({ offset, bytes }) => readAll(memory, start + offset, bytes.length).equals(bytes)),
    );
}

/** Writes them in this order. */
export function write(folder: string, start: number, patches: readonly Patch[]): void {
    withMemory(folder, "r+", (memory) => {
        for (const { offset, bytes } of patches) writeSync(memory, bytes, 0, bytes.length, start + offset);
    });
}

function withMemory<T>(folder: string, flags: "r" | "r+", use: (memory: number) => T): T {
    const memory = openSync(`${folder}/mem`, flags);
    try {
        return use(memory);
    } finally {
        closeSync(memory);
    }
}

function readAll(memory: number, start: number, length: number): Buffer {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(memory, bytes, 0, length, start));
}
