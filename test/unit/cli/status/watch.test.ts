import assert from "node:assert/strict";
import { redrawn, watch } from "../../../../cli/status/watch";

const everyMilliseconds = 1;

describe("a watch", () => {
    it("appends each refresh without a terminal, until stopped", async () => {
        const stop = new AbortController();
        const written: string[] = [];
        let looks = 0;
        const look = async () => `look ${++looks}\n`;
        const write = (text: string) => {
            if (written.push(text) === 3) {
                stop.abort();
            }
        };
        await watch(look, { screen: { write }, stop: stop.signal, everyMilliseconds });
        assert.deepEqual(written, ["look 1\n", "look 2\n", "look 3\n"]);
    });

    it("stops immediately during a refresh", async () => {
        const stop = new AbortController();
        const never = new Promise<string>(() => undefined);
        const ended = watch(() => never, { screen: { write: assert.fail }, stop: stop.signal });
        stop.abort();
        await ended;
    });

    it("redraws in place on a terminal, and cuts off what does not fit", () => {
        assert.equal(redrawn("a\nb\n", true, { rows: 24 }), "\x1b[2J\x1b[Ha\x1b[K\nb\x1b[K\n\x1b[J");
        assert.equal(
            redrawn("a\nb\nc\nd\n", false, { rows: 4 }),
            "\x1b[Ha\x1b[K\nb\x1b[K\n… 2 more lines\x1b[K\n\x1b[J",
        );
        assert.equal(redrawn("a\nb\nc\n", false, { rows: 4 }).split("\n").length, 4);
    });

    it("cuts off lines that would wrap, and resets colors", () => {
        const screen = { rows: 24, columns: 6 };
        assert.equal(redrawn("12345\n", false, screen), "\x1b[H12345\x1b[K\n\x1b[J");
        assert.equal(redrawn("123456\n", false, screen), "\x1b[H1234…\x1b[K\n\x1b[J");
        const red = "1\x1b[31m23456\x1b[0m7\x1b[2m8\x1b[0m";
        assert.equal(redrawn(red, false, screen), "\x1b[H1\x1b[31m234\x1b[0m\x1b[2m\x1b[0m…\x1b[K\n\x1b[J");
    });
});
