import assert from "node:assert/strict";
import { endOf } from "../../cluster/machine-clock/elf";
import { clockFor } from "../../cluster/machine-clock/patches";
import { imageWith } from "./image";

const functions = {
    __vdso_gettimeofday: { offset: 0x810, size: 64 },
    __vdso_time: { offset: 0xac0, size: 40 },
    __vdso_clock_gettime: { offset: 0xaf0, size: 64 },
};
const image = imageWith(functions);
const offsets = Object.values(functions).map(({ offset }) => offset);

describe("a clock for a vDSO", () => {
    it("starts its functions with jumps to code after the image's end, and changes nothing else", () => {
        const { code, entries } = clockFor(image, 3600);
        assert.deepEqual(entries.map(({ offset }) => offset).sort(), offsets.sort());
        entries.forEach(({ offset, bytes }, index) => {
            assert.deepEqual([bytes.length, bytes[0]], [5, 0xe9]);
            assert.equal(offset + 5 + bytes.readInt32LE(1), code[index]!.offset);
        });
        let free = endOf(image);
        for (const { offset, bytes } of code) {
            assert.equal(offset, free);
            assert.equal(bytes.at(-1), 0xc3, "the last instruction returns");
            free += bytes.length;
        }
        assert.ok(free <= image.length);
    });

    for (const seconds of [1, -1, 2 ** 40, -(2 ** 40)]) {
        it(`contains ${seconds} s as a signed 64-bit number, once in each function`, () => {
            const number = Buffer.alloc(8);
            number.writeBigInt64LE(BigInt(seconds));
            for (const { bytes } of clockFor(image, seconds).code) assert.ok(bytes.includes(number));
        });
    }

    it("differs from another one only in that number, as a thread may be executing it", () => {
        const [one, other] = [clockFor(image, 1), clockFor(image, -1)];
        assert.deepEqual(one.entries, other.entries);
        one.code.forEach(({ offset, bytes }, index) => {
            const number = bytes.indexOf(Buffer.from([1, 0, 0, 0, 0, 0, 0, 0]));
            const same = Buffer.from(other.code[index]!.bytes);
            same.writeBigInt64LE(1n, number);
            assert.deepEqual({ offset, bytes }, { offset: other.code[index]!.offset, bytes: same });
        });
    });

    it("is the image's own for 0 s", () => {
        const { code, entries } = clockFor(image, 0);
        assert.deepEqual(code, []);
        assert.deepEqual(entries.map(({ offset }) => offset).sort(), offsets.sort());
        assert.ok(entries.every(({ bytes }) => bytes.length === 5 && bytes.every((byte) => byte === 0x90)));
    });

    it("is rejected if there is no space for it, or a function is missing", () => {
        const full = Buffer.from(image);
        full[endOf(full) + 40] = 1;
        assert.throws(() => clockFor(full, 1), /^Error: the vDSO must have 30 unused bytes at its end/);
        assert.throws(() => clockFor(image.subarray(0, endOf(image)), 1), /must have 34 unused bytes/);
        const { __vdso_time: _, ...rest } = functions;
        assert.throws(
            () => clockFor(imageWith(rest), 1),
            /^Error: __vdso_time of the vDSO must have 5 bytes \(got 0\)$/,
        );
    });

    it("is rejected for fractions of a second", () => {
        assert.throws(() => clockFor(image, 0.5), /^Error: seconds must be a whole number \(got 0.5\)$/);
    });
});
