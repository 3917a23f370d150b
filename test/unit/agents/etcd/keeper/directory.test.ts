import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
    SnapshotDirectory,
    type SnapshotManifest,
    snapshotName,
    snapshotTime,
} from "../../../../../agents/etcd/keeper/directory";
import type { KeeperPlan } from "../../../../../agents/etcd/keeper/plan";
import { expired } from "../../../../../agents/etcd/keeper/prune";
import { Snapshots } from "../../../../../agents/etcd/keeper/snapshots";

describe("the directory of snapshots", () => {
    let path: string;
    let directory: SnapshotDirectory;
    const write = (name: string, text: string) => writeFileSync(join(path, name), text);
    const at = (day: number) => new Date(Date.UTC(2026, 0, day));
    const nameAt = (day: number, cluster = "c") => snapshotName(cluster, at(day));
    const add = (day: number, cluster = "c", change: object = {}) => {
        const name = nameAt(day, cluster);
        write(`${name}.db`, "db");
        const manifest = { name, cluster, time: at(day).toISOString(), size: 2, sha256: "00" };
        write(`${name}.json`, JSON.stringify({ ...manifest, ...change }));
        return name;
    };
    const names = () => directory.list().map(({ name }: SnapshotManifest) => name);

    beforeEach(() => {
        path = mkdtempSync(join(tmpdir(), "snapshots-"));
        directory = new SnapshotDirectory(path, "c");
    });
    afterEach(() => rmSync(path, { recursive: true }));

    const strays: readonly (readonly [string, () => void])[] = [
        ["a snapshot of another cluster", () => add(9, "other")],
        ["a snapshot of a cluster whose name begins with this one's", () => add(9, "c-2")],
        ["a snapshot with another cluster in its manifest", () => add(9, "c", { cluster: "other" })],
        ["a manifest with another snapshot's name", () => add(9, "c", { name: nameAt(8) })],
        [
            "a manifest that was cut short",
            () => {
                add(9);
                write(`${nameAt(9)}.json`, '{"name": "c-2');
            },
        ],
        [
            "an empty manifest",
            () => {
                add(9);
                write(`${nameAt(9)}.json`, "");
            },
        ],
        [
            "a manifest that is null",
            () => {
                add(9);
                write(`${nameAt(9)}.json`, "null");
            },
        ],
        [
            "a manifest that is a list",
            () => {
                add(9);
                write(`${nameAt(9)}.json`, "[]");
            },
        ],
        ["a manifest with a number as its time", () => add(9, "c", { time: 9 })],
        ["a manifest with no date as its time", () => add(9, "c", { time: "yesterday" })],
        ["a manifest with a text as its size", () => add(9, "c", { size: "2" })],
        [
            "a snapshot that was cut short",
            () => {
                add(9);
                write(`${nameAt(9)}.db`, "d");
            },
        ],
        [
            "a pair with any other name",
            () => {
                write("before-upgrade.db", "db");
                write("before-upgrade.json", "{}");
            },
        ],
        [
            "a pair named after a day that does not exist",
            () => {
                write("c-20269999T000000.000Z.db", "db");
                write("c-20269999T000000.000Z.json", "{}");
            },
        ],
        ["a directory with a manifest's name", () => mkdirSync(join(path, `${nameAt(9)}.json`))],
        [
            "a directory with a snapshot's name",
            () => {
                add(9);
                rmSync(join(path, `${nameAt(9)}.db`));
                mkdirSync(join(path, `${nameAt(9)}.db`));
            },
        ],
        ["a link to a manifest", () => symlinkSync("/nowhere", join(path, `${nameAt(9)}.json`))],
        ["a subdirectory", () => mkdirSync(join(path, "old"))],
        ["hidden files", () => write(".c.json", "{}")],
        [
            "names with line breaks, spaces and no text",
            () => {
                for (const name of ["a\nb.json", " .db", ".json"]) write(name, "{");
            },
        ],
        ["half of someone else's download", () => write(".restore.half", "x")],
    ];
    for (const [what, stray] of strays) {
        it(`neither counts nor removes ${what}, and works next to it`, () => {
            const first = add(1);
            stray();
            const [, ...others] = [first, ...readdirSync(path).filter((name) => !name.startsWith(first))];
            assert.deepEqual(names(), [first]);
            assert.deepEqual(directory.cleanUp(), []);
            for (const { name } of expired(directory.list(), { keep: 1 }, at(30))) directory.remove(name);
            assert.deepEqual(readdirSync(path).sort(), [`${first}.db`, `${first}.json`, ...others].sort());
        });
    }

    it("removes what killed runs of this cluster left, and nothing else", () => {
        add(1);
        const left = [`.${nameAt(2)}.db.half`, `.${nameAt(3)}.json.half`, `${nameAt(4)}.db`, `${nameAt(5)}.json`];
        for (const name of left) write(name, "x");
        add(6, "other");
        assert.deepEqual(directory.cleanUp().sort(), left.sort());
    });

    it("postpones no snapshot because of a foreign one", () => {
        const first = add(1);
        add(20, "other");
        const plan = { clusterName: "c", snapshots: { directory: path } } as KeeperPlan;
        assert.equal(new Snapshots({ plan } as never).last()?.name, first);
    });

    it("has no time of a name that is no date", () => {
        assert.deepEqual(snapshotTime("c", nameAt(1)), at(1));
        assert.equal(snapshotTime("c", "c-20261399T000000.000Z"), undefined);
    });
});
