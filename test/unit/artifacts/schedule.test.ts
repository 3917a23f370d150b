import assert from "node:assert/strict";
import fc from "fast-check";
import { type Queued, schedule } from "../../../artifacts/fill";

/** Does work that takes one turn of the event loop, and logs when each item starts and ends. */
function recorder(failing: readonly string[] = []) {
    const events: string[] = [];
    const work = async ({ id }: Queued) => {
        events.push(`${id} begins`);
        await new Promise(setImmediate);
        if (failing.includes(id)) {
            throw new Error(`${id} fails`);
        }
        events.push(`${id} ends`);
    };
    return { events, work };
}

describe("schedule", () => {
    it("runs one of each lane at a time, in order", async () => {
        const { events, work } = recorder();
        const items = (["go", "go", "other"] as const).map((lane, index) => ({ id: `${lane}${index}`, lane }));
        await schedule(items, work);
        assert(events.indexOf("other2 begins") < events.indexOf("go0 ends"));
        const go = events.filter((event) => event.startsWith("go"));
        assert.deepEqual(go, ["go0 begins", "go0 ends", "go1 begins", "go1 ends"]);
    });

    it("starts nothing before its dependencies, and runs others meanwhile", async () => {
        const { events, work } = recorder();
        const items: Queued[] = [
            { id: "image", lane: "other", needs: ["binary"] },
            { id: "rootfs", lane: "other" },
            { id: "binary", lane: "go" },
        ];
        await schedule(items, work);
        assert(events.indexOf("image begins") > events.indexOf("binary ends"));
        assert(events.indexOf("rootfs begins") < events.indexOf("image begins"));
    });

    it("runs everything once, whatever the dependencies", async () => {
        const anyItems = fc
            .array(fc.record({ lane: fc.constantFrom("go", "other"), needs: fc.array(fc.nat(20)) }), { maxLength: 12 })
            .map((drafts) =>
                drafts.map(({ lane, needs }, index) => ({
                    id: `${index}`,
                    lane: lane as Queued["lane"],
                    needs: needs.filter((need) => need < index).map(String),
                })),
            );
        await fc.assert(
            fc.asyncProperty(anyItems, async (items) => {
                const { events, work } = recorder();
                await schedule(items, work);
                assert.equal(events.length, 2 * items.length);
                for (const { id, needs } of items) {
                    for (const need of needs) {
                        assert(events.indexOf(`${need} ends`) < events.indexOf(`${id} begins`));
                    }
                }
            }),
        );
    });

    it("starts nothing more after a failure, lets running items finish, and reports the failure", async () => {
        const { events, work } = recorder(["bad"]);
        const items: Queued[] = [
            { id: "bad", lane: "go" },
            { id: "running", lane: "other" },
            { id: "never", lane: "go" },
        ];
        await assert.rejects(schedule(items, work), { message: "bad fails" });
        assert.deepEqual(events, ["bad begins", "running begins", "running ends"]);
    });

    it("names circular dependencies", async () => {
        const { work } = recorder();
        const items: Queued[] = [
            { id: "hen", lane: "go", needs: ["egg"] },
            { id: "egg", lane: "go", needs: ["hen"] },
        ];
        await assert.rejects(schedule(items, work), { message: "circular dependency: hen, egg" });
    });
});
