import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { interruptible } from "../../../../dev/bench/index";

describe("an interrupted benchmark", () => {
    it("cleans up before it exits, with the conventional exit code", async () => {
        let isClean = false;
        const work = interruptible(async (signal) => {
            try {
                process.emit("SIGINT");
                await sleep(10_000, undefined, { signal });
            } finally {
                await sleep(1);
                isClean = true;
            }
        });
        await assert.rejects(work, { exitCode: 130 });
        assert.ok(isClean);
    });

    it("leaves no handler behind, like one that was not interrupted", async () => {
        const before = process.listenerCount("SIGTERM");
        assert.equal(await interruptible(async () => process.listenerCount("SIGTERM")), before + 1);
        assert.equal(process.listenerCount("SIGTERM"), before);
    });

    it("reports its own failure unchanged", async () => {
        await assert.rejects(
            interruptible(async () => {
                throw new Error("no disk");
            }),
            { message: "no disk" },
        );
    });
});
