import assert from "node:assert/strict";
import { functionsOf } from "../../cluster/machine-clock/elf";
import { imageWith } from "./image";

describe("the functions of a vDSO", () => {
    it("are found by name, with their addresses and sizes", () => {
        const image = imageWith({ __vdso_time: { offset: 0xac0, size: 40 }, time: { offset: 0xac0, size: 40 } });
        assert.deepEqual(Object.fromEntries(functionsOf(image)), {
            __vdso_time: { offset: 0xac0, size: 40 },
            time: { offset: 0xac0, size: 40 },
        });
    });

    for (const [what, change] of [
        ["another architecture", (image: Buffer) => image.writeUInt16LE(183, 18)],
        ["32 bits", (image: Buffer) => image.writeUInt8(1, 4)],
        ["something else", (image: Buffer) => image.fill(0)],
    ] as const) {
        it(`are rejected in ${what}`, () => {
            const image = imageWith({});
            change(image);
            assert.throws(() => functionsOf(image), /^Error: vDSO must be ELF of 64 bits for x86-64 \(got/);
        });
    }

    it("are rejected in a truncated image", () => {
        assert.throws(() => functionsOf(imageWith({}).subarray(0, 4096)), /has no sections/);
    });
});
