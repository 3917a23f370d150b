import { codeFor } from "./code";
import { endOf, functionsOf } from "./elf";

/** Bytes of a vDSO, and where they belong in it. */
export interface Patch {
    readonly offset: number;
    readonly bytes: Buffer;
}

/** A wall clock, as the vDSO of a process shows it. */
export interface Clock {
    /** How each vDSO begins that this is for: a program of 32 bits has another one. */
    readonly header: Patch;
    /** Code of ours, in room that nobody uses. */
    readonly code: readonly Patch[];
    /** The first bytes of the vDSO's functions: jumps to that code, or the image's own. */
    readonly entries: readonly Patch[];
}

const jumpSize = 5;

/**
 * What must stand in a vDSO for a wall clock that is so many seconds ahead; with 0 it is the image's own.
 *
 * A thread may be in the midst of one of these functions, even unseen, while it handles a signal. So nothing of them is
 * changed but the first bytes, and code of ours stays where it is when it is no longer used; its clocks differ in a number.
 *
 * @param image - all pages of a vDSO that nobody has changed
 */
export function clockFor(image: Buffer, seconds: number): Clock {
    if (!Number.isSafeInteger(seconds)) throw new Error(`seconds must be a whole number, got ${seconds}`);
    const functions = functionsOf(image);
    const code: Patch[] = [];
    const entries: Patch[] = [];
    let free = endOf(image);
    for (const [name, bytes] of Object.entries(codeFor(BigInt(seconds))) as [string, Buffer][]) {
        const { offset, size } = functions.get(name) ?? { offset: 0, size: 0 };
        if (size < jumpSize) throw new Error(`${name} of the vDSO must have ${jumpSize} bytes, got ${size}`);
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

/** jmp <to>, which is told from its own end. */
function jump(from: number, to: number): Buffer {
    const bytes = Buffer.alloc(jumpSize, 0xe9);
    bytes.writeInt32LE(to - from - jumpSize, 1);
    return bytes;
}
