import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keepHostDirectories, removeOldFiles } from "../../../../agents/checkpointer/host-directories";

const group = 60801;
const day = 86_400_000;

describe("host directories of control-plane components", () => {
    let home: string;

    beforeEach(() => {
        home = mkdtempSync(join(tmpdir(), "tradewind-directories-"));
    });
    afterEach(() => rmSync(home, { recursive: true }));

    const stateOf = (path: string) => {
        const { mode, uid, gid } = statSync(path);
        return [(mode & 0o777).toString(8), uid, gid];
    };

    it("are for root and the component only, unless they had files", function () {
        if (process.getuid!() !== 0) return this.skip();
        const [fresh, used, audit] = ["fresh", "used", "audit"].map((name) => join(home, name)) as [
            string,
            string,
            string,
        ];
        for (const path of [used, audit]) {
            keepHostDirectories({ hostDirectories: [{ path: join(path, "below"), group }] }, () => {});
        }
        const plan = {
            hostDirectories: [fresh, used, audit].map((path) => ({ path, group })),
            auditLog: { directory: audit },
        };
        keepHostDirectories(plan, () => {});
        assert.deepEqual(stateOf(fresh), ["770", 0, group]);
        assert.deepEqual(stateOf(used), ["755", 0, 0]);
        assert.deepEqual(stateOf(audit), ["770", 0, group]);
        const said: string[] = [];
        keepHostDirectories(plan, (line) => said.push(line));
        assert.deepEqual(said, []);
    });

    const now = Date.parse("2026-01-31T00:00:00Z");
    const write = (name: string, daysAgo: number, bytes = 10) => {
        writeFileSync(join(home, name), "x".repeat(bytes));
        const time = (now - daysAgo * day) / 1000;
        utimesSync(join(home, name), time, time);
    };
    const left = () => readdirSync(home).sort();

    it("lose files of the audit log that are too old, and no others", () => {
        write("new.log", 1);
        write("old.log.gz", 31);
        write("notes", 99);
        assert.deepEqual(removeOldFiles({ directory: home, maxAgeDays: 30 }, now), [join(home, "old.log.gz")]);
        assert.deepEqual(left(), ["new.log", "notes"]);
    });

    it("lose the oldest files of the audit log when there are too many bytes, and never the newest", () => {
        write("newest.log", 0, 200);
        write("middle.log", 1);
        write("oldest.log", 2);
        removeOldFiles({ directory: home, maxBytes: 210 }, now);
        assert.deepEqual(left(), ["middle.log", "newest.log"]);
        removeOldFiles({ directory: home, maxBytes: 100, maxAgeDays: 1 }, now + 9 * day);
        assert.deepEqual(left(), ["newest.log"]);
    });

    it("keep all files of the audit log without limits", () => {
        write("a.log", 999, 1000);
        write("b.log", 0, 1000);
        assert.deepEqual(removeOldFiles({ directory: home }, now), []);
        assert.ok(existsSync(join(home, "a.log")));
    });
});
