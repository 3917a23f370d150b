import type { Placed } from "../../cluster/machine-clock/elf";

const sections = 3;
const sectionsAt = 4096;
const namesAt = 64;
const symbolsAt = 512;

/** An ELF image of x86-64 that only exports functions, each filled with bytes 0x90. */
export function imageWith(functions: Readonly<Record<string, Placed>>): Buffer {
    const image = Buffer.alloc(8192);
    image.write("\x7fELF\x02\x01\x01", "latin1");
    image.writeUInt16LE(62, 18);
    image.writeBigUInt64LE(BigInt(sectionsAt), 40);
    image.writeUInt16LE(sections, 60);
    let name = 1;
    const all = Object.entries(functions);
    all.forEach(([text, { offset, size }], index) => {
        const symbol = symbolsAt + 24 * (index + 1);
        image.writeUInt32LE(name, symbol);
        image.writeBigUInt64LE(BigInt(offset), symbol + 8);
        image.writeBigUInt64LE(BigInt(size), symbol + 16);
        name += image.write(`${text}\0`, namesAt + name, "latin1");
        image.fill(0x90, offset, offset + size);
    });
    section(image, 1, { type: 3, offset: namesAt, size: name, link: 0 });
    section(image, 2, { type: 11, offset: symbolsAt, size: 24 * (all.length + 1), link: 1 });
    return image;
}

function section(image: Buffer, index: number, is: { type: number; offset: number; size: number; link: number }): void {
    const at = sectionsAt + 64 * index;
    image.writeUInt32LE(is.type, at + 4);
    image.writeBigUInt64LE(BigInt(is.offset), at + 24);
    image.writeBigUInt64LE(BigInt(is.size), at + 32);
    image.writeUInt32LE(is.link, at + 40);
}
