import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EventLog } from "../../../dev/event-log";
import { readRecord, writeRun } from "../../../local/record";
import type { ClusterState } from "../../../local/state";
import { boot } from "../local/sample";

describe("the event log of an up", () => {
    let dir: string;
    let state: ClusterState;
    beforeEach(() => {
        dir = mkdtempSync(join(tmpdir(), "tradewind-events-"));
        state = { dir, timeline: join(dir, "timeline.json") } as ClusterState;
    });
    afterEach(() => rmSync(dir, { recursive: true }));

    it("is added to an up only, unless it has one", () => {
        const log = new EventLog(state);
        assert.deepEqual(log.argumentsWith(["up", "--yes"]), ["up", "--event-log", join(dir, "events.jsonl"), "--yes"]);
        for (const args of [["preview"], ["up", "--event-log=mine"], ["stack", "ls"], []]) {
            assert.deepEqual(log.argumentsWith(args), args);
        }
    });

    it("becomes the last run of the timeline, and is removed", () => {
        writeRun(state.timeline, boot());
        const metadata = { op: "update", type: "kubernetes:apps/v1:DaemonSet", urn: "urn::a" };
        const events = [{ resourcePreEvent: { metadata } }, { resOutputsEvent: { metadata } }];
        writeFileSync(
            join(dir, "events.jsonl"),
            events.map((event, index) => JSON.stringify({ timestamp: 100 + index, ...event })).join("\n"),
        );
        new EventLog(state).keep();
        const { last, boot: first } = readRecord(state.timeline, "c");
        assert.deepEqual([last.operations[0]!.name, first], ["a", boot()]);
        assert.equal(existsSync(join(dir, "events.jsonl")), false);
    });

    it("changes nothing if it does not exist", () => {
        new EventLog(state).keep();
        assert.equal(existsSync(state.timeline), false);
    });
});
