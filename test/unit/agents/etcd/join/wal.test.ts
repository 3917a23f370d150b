import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { logNames, memberOfLog, memberOfLogs } from "../../../../../agents/etcd/join/disk";

/** The first 144 bytes of a log of etcd 3.6.8: a checksum, the metadata, a snapshot. */
const log = Buffer.from(
    "BAAAAAAAAIQIBBAAAAAAAB8AAAAAAACBCAEQpM2F/AsaFQju+baAyOGFlAYQ44e8stvypd66AQAOAAAAAAAAgggFEN6o2uUIGgQIABAAAAByAAAAAAAAhggCEIyZ584IGmgIARABGAEiYAgAEAAY7vm2gMjhhZQGIlB7ImlkIjo0NDM2Mjk5MDU3NTE0MjQy",
    "base64",
);

describe("the write-ahead log of a member", () => {
    it("identifies the member", () => assert.equal(memberOfLog(log), "443629905751424238"));

    it("identifies none if it is truncated, or something else", () => {
        for (const bytes of [log.subarray(0, 20), Buffer.alloc(0), Buffer.alloc(4096), Buffer.alloc(64, 0xff)]) {
            assert.equal(memberOfLog(bytes), undefined);
        }
    });

    it("is read from its directory", () => {
        const folder = mkdtempSync(join(tmpdir(), "tradewind-wal-"));
        try {
            assert.equal(memberOfLogs(folder), undefined);
            writeFileSync(
                join(folder, "0000000000000000-0000000000000000.wal"),
                Buffer.concat([log, Buffer.alloc(1e6)]),
            );
            writeFileSync(join(folder, "1.tmp"), "");
            assert.equal(memberOfLogs(folder), "443629905751424238");
            assert.equal(logNames(folder).length, 1);
        } finally {
            rmSync(folder, { recursive: true });
        }
    });
});
