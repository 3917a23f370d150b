import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Controller } from "../../../../cli/reach/controller";
import { bringNewest, describeAge, snapshotTime } from "../../../../cli/recover/newest";
import { fixedCluster } from "../../components/in-cluster/fixture";

describe("the newest snapshot", () => {
    const root = mkdtempSync(join(tmpdir(), "tradewind-newest-"));
    after(() => rmSync(root, { recursive: true }));

    /** A machine whose snapshots are in a directory of its own below the given one. */
    const machine = (name: string): Controller => ({
        name,
        run: async (script, args = [], input) => {
            const own = args.map((arg) => arg.replace("/snapshots", join(root, name)));
            return execFileSync("sh", ["-c", script, "x", ...own], { input, encoding: "utf8" });
        },
    });
    const cluster = { name: "c", etcdSnapshots: { ...fixedCluster().etcdSnapshots, directory: "/snapshots" } };
    const add = (name: string, snapshot: string, time: string, of = "c") => {
        mkdirSync(join(root, name), { recursive: true });
        const sha256 = createHash("sha256").update(snapshot).digest("hex");
        writeFileSync(join(root, name, `${snapshot}.db`), snapshot);
        writeFileSync(
            join(root, name, `${snapshot}.json`),
            JSON.stringify({ name: snapshot, cluster: of, time, sha256 }),
        );
    };

    it("is copied from another machine, or used where it is", async () => {
        const [target, other] = [machine("c-default-0"), machine("c-default-1")];
        add("c-default-0", "c-1", "2026-11-30T00:00:00Z");
        add("c-default-1", "c-2", "2026-11-30T01:00:00Z");
        assert.equal(await bringNewest(cluster, target, [other], () => {}), "c-2");
        assert.equal(readFileSync(join(root, "c-default-0", "c-2.db"), "utf8"), "c-2");
        add("c-default-0", "c-3", "2026-11-30T02:00:00Z");
        assert.equal(await bringNewest(cluster, target, [other], () => {}), "c-3");
    });

    it("is never one of another cluster, copied there for a restore", async () => {
        const target = machine("c-default-4");
        add("c-default-4", "c-1", "2026-11-30T00:00:00Z");
        add("c-default-4", "other-1", "2026-11-30T01:00:00Z", "other");
        assert.equal(await bringNewest(cluster, target, [], () => {}), "c-1");
    });

    it("must exist", async () => {
        await assert.rejects(
            bringNewest(cluster, machine("c-default-2"), [machine("c-default-3")], () => {}),
            /^Error: no snapshot of c was found: c-default-2, c-default-3 have none in \/snapshots; pass --snapshot FILE$/,
        );
    });

    it("has the age of its name, or of its file", () => {
        const taken = snapshotTime("/tmp/c-20261121T053834.123Z.db.enc")!;
        assert.equal(taken.toISOString(), "2026-11-21T05:38:34.123Z");
        assert.ok(snapshotTime(__filename) !== undefined);
        assert.equal(snapshotTime("unknown"), undefined);
        assert.equal(snapshotTime("c-20269999T999999.123Z.db"), undefined);
        const now = new Date("2026-11-22T07:43:34Z");
        assert.match(describeAge(taken, now), /^taken at 2026-11-21T05:38:34Z, 1 d 2 h 5 min ago: .* is lost$/);
        assert.match(describeAge(taken, taken), / 0 min ago/);
        assert.match(describeAge(undefined), /unknown time/);
    });
});
