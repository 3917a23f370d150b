import assert from "node:assert/strict";
import { needsOf, requireRoom } from "../../../../cli/rehearse/size";

const gibi = 2 ** 30;

describe("the size of a rehearsal", () => {
    it("is refused with what it needs and what there is", () => {
        assert.throws(() => requireRoom(2 * gibi, "/", { memory: gibi, disk: 100 * gibi }), {
            message: "a rehearsal of a snapshot of 2048 MiB needs 12888 MiB of memory (available: 1024 MiB)",
        });
        assert.throws(() => requireRoom(gibi, "/", { memory: 0, disk: 0 }), /of memory .* and 4296 MiB of disk/);
    });

    it("fits where there is room", () => {
        requireRoom(gibi, "/", needsOf(gibi));
        requireRoom(0, "/");
    });
});
