import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readRecord, writeRun } from "../../../local/record";
import { boot } from "./sample";

describe("the recorded runs of npm start", () => {
    let folder: string;
    let path: string;
    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-timeline-"));
        path = join(folder, "timeline.json");
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    const change = (seconds: number) => boot({ parts: {}, operations: [{ ...boot().operations[0]!, seconds }] });

    it("are the last one, and the first", () => {
        writeRun(path, boot());
        assert.deepEqual(readRecord(path, "c"), { last: boot() });
        writeRun(path, change(1));
        writeRun(path, change(2));
        assert.deepEqual(readRecord(path, "c"), { last: change(2), boot: boot() });
    });

    it("replace what a power cut left", () => {
        writeFileSync(path, '{"sta');
        writeRun(path, change(1));
        assert.deepEqual(readRecord(path, "c"), { last: change(1) });
    });

    it("are missing with a message that says what to do", () => {
        assert.throws(() => readRecord(path, "c"), /^Error: c has no record yet: npm start writes it after/);
        for (const damaged of ['{"last":{"parts":{}}}', '{"sta']) {
            writeFileSync(path, damaged);
            assert.throws(() => readRecord(path, "c"), /^Error: the record of c is damaged; the next npm start/);
        }
    });
});
