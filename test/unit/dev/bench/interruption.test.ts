import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { interruptible } from "../../../../dev/bench/interruption";

describe("an interrupted benchmark", () => {
    it("cleans up before it ends, and ends as the shell expects", async () => {
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

    it("leaves no handler behind, nor one that was not", async () => {
        const before = process.listenerCount("SIGTERM");
        assert.equal(await interruptible(async () => process.listenerCount("SIGTERM")), before + 1);
        assert.equal(process.listenerCount("SIGTERM"), before);
    });

    it("tells of a failure of its own as it is", async () => {
        await assert.rejects(
            interruptible(async () => {
                throw new Error("no disk");
            }),
            { message: "no disk" },
        );
    });
});
