import { codeFor } from "./code";
import { endOf, functionsOf } from "./elf";

/** Bytes of a vDSO, and their place in it. */
export interface Patch {
    readonly offset: number;
    readonly bytes: Buffer;
}

/** A wall clock, as provided by the vDSO of a process. */
export interface Clock {
    /** The first bytes of each vDSO that this supports: a 32-bit program has another one. */
    readonly header: Patch;
    /** Our code, in unused space. */
    readonly code: readonly Patch[];
    /** The first bytes of the vDSO's functions: jumps to that code, or the image's own. */
    readonly entries: readonly Patch[];
}

const jumpSize = 5;

/**
 * The contents of a vDSO for a wall clock that is this many seconds ahead; 0 restores the image's own.
 *
 * A thread may be inside one of these functions, even invisibly, while it handles a signal. So only their first bytes
 * are changed, and our code stays in place when it is no longer used; clocks only differ in a number.
 *
 * @param image - all pages of an unmodified vDSO
 */
export function clockFor(image: Buffer, seconds: number): Clock {
    if (!Number.isSafeInteger(seconds)) throw new Error(`seconds must be a whole number (got ${seconds})`);
    const functions = functionsOf(image);
    const code: Patch[] = [];
    const entries: Patch[] = [];
    let free = endOf(image);
    for (const [name, bytes] of Object.entries(codeFor(BigInt(seconds))) as [string, Buffer][]) {
        const { offset, size } = functions.get(name) ?? { offset: 0, size: 0 };
        if (size < jumpSize) throw new Error(`${name} of the vDSO must have ${jumpSize} bytes (got ${size})`);
        const place = image.subarray(free, free + bytes.length);
        if (place.length < bytes.length || place.some((byte) => byte !== 0)) {
            throw new Error(`the vDSO must have ${bytes.length} unused bytes at its end for ${name}`);
        }
        code.push({ offset: free, bytes });
        entries.push({ offset, bytes: seconds === 0 ? image.subarray(offset, offset + jumpSize) : jump(offset, free) });
        free += bytes.length;
    }
    return { header: { offset: 0, bytes: image.subarray(0, 64) }, code: seconds === 0 ? [] : code, entries };
}

/** jmp <to>, relative to its own end. */
function jump(from: number, to: number): Buffer {
    const bytes = Buffer.alloc(jumpSize, 0xe9);
    bytes.writeInt32LE(to - from - jumpSize, 1);
    return bytes;
}
