/** Location of a function in an image, and its size in bytes. */
export interface Placed {
    readonly offset: number;
    readonly size: number;
}

const dynamicSymbols = 11;
const sectionSize = 64;
const symbolSize = 24;

/**
 * The functions exported by an ELF image of x86-64, by name. Its addresses are offsets, as in a vDSO. Source: System V
 * ABI, chapter 4, and its AMD64 supplement.
 */
export function functionsOf(image: Buffer): ReadonlyMap<string, Placed> {
    requireX64(image);
    const sections = sectionsOf(image);
    const table = sections.find(({ type }) => type === dynamicSymbols);
    const names = table && sections[table.link];
    if (!names) throw new Error("the ELF image has no dynamic symbols");
    const found = new Map<string, Placed>();
    for (let at = table.offset; at < table.offset + table.size; at += symbolSize) {
        const name = names.offset + image.readUInt32LE(at);
        const offset = Number(image.readBigUInt64LE(at + 8));
        const size = Number(image.readBigUInt64LE(at + 16));
        if (size > 0) found.set(image.toString("latin1", name, image.indexOf(0, name)), { offset, size });
    }
    return found;
}

/** End of an image: that of its section table, as linkers write it. The rest of its last page is free. */
export function endOf(image: Buffer): number {
    return Number(image.readBigUInt64LE(40)) + image.readUInt16LE(60) * sectionSize;
}

/** @throws {Error} if the image is for another kind of machine: the code that is put into it is for this one */
function requireX64(image: Buffer): void {
    const isElf = image.toString("latin1", 0, 4) === "\x7fELF";
    const [bits, order, machine] = isElf ? [image[4], image[5], image.readUInt16LE(18)] : [];
    if (bits !== 2 || order !== 1 || machine !== 62) {
        throw new Error(
            `vDSO must be ELF of 64 bits for x86-64 (got ${isElf ? `machine ${machine}` : "something else"})`,
        );
    }
}

function sectionsOf(image: Buffer) {
    const start = Number(image.readBigUInt64LE(40));
    const count = image.readUInt16LE(60);
    if (count === 0 || start + count * sectionSize > image.length) throw new Error("the ELF image has no sections");
    return Array.from({ length: count }, (_, index) => {
        const at = start + index * sectionSize;
        return {
            type: image.readUInt32LE(at + 4),
            offset: Number(image.readBigUInt64LE(at + 24)),
            size: Number(image.readBigUInt64LE(at + 32)),
            link: image.readUInt32LE(at + 40),
        };
    });
}
