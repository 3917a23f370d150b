import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { utimes } from "node:fs/promises";
import { join } from "node:path";
import { verify } from "../../../artifacts/cli";
import { fillItems } from "../../../artifacts/fill";
import type { Item } from "../../../artifacts/item";
import { cacheDir, fileIndex } from "../../../cache";
import { countingItem, useEmptyCache } from "./cache";

const quiet = { say: () => {}, way: "offline" as const };
const cached = (id: string) => join(cacheDir(), "files", id);

describe("filling the cache", () => {
    useEmptyCache();

    it("makes what is missing, and nothing the second time", async () => {
        const items = [countingItem("a"), countingItem("b", { lane: "other" })];
        await fillItems(items, quiet);
        await fillItems(items, quiet);
        assert.deepEqual(
            items.map(({ created }) => created),
            [1, 1],
        );
        assert.equal(readFileSync(cached("a"), "utf8"), "contents of a");
    });

    it("indexes the served files by checksum", async () => {
        await fillItems([countingItem("a")], quiet);
        const sha256 = createHash("sha256").update("contents of a").digest("hex");
        assert.deepEqual(fileIndex(), { a: { sha256, source: "built" } });
    });

    it("continues with the remaining items after a failure", async () => {
        const good = countingItem("good");
        const bad = countingItem("bad", { make: () => Promise.reject(new Error("no compiler")) });
        await assert.rejects(fillItems([good, bad], quiet), { message: "bad: no compiler" });
        const mended = countingItem("bad");
        await fillItems([good, mended], quiet);
        assert.deepEqual([good.created, mended.created], [1, 1]);
    });

    it("remakes what was made from other inputs", async () => {
        await fillItems([countingItem("a")], quiet);
        const changed = countingItem("a", { key: "2" });
        await fillItems([changed], quiet);
        assert.equal(changed.created, 1);
    });

    it("remakes what was removed or changed, and what is made from that", async () => {
        const items = [countingItem("a"), countingItem("b", { needs: ["a"] }), countingItem("c")];
        await fillItems(items, quiet);
        writeFileSync(cached("a"), "something longer than it was before");
        await fillItems(items, quiet);
        assert.deepEqual(
            items.map(({ created }) => created),
            [2, 2, 1],
        );
        assert.equal(readFileSync(cached("a"), "utf8"), "contents of a");
    });

    it("does not remake what was only touched", async () => {
        const item = countingItem("a");
        await fillItems([item], quiet);
        await utimes(cached("a"), 1, 1);
        await fillItems([item], quiet);
        assert.equal(item.created, 1);
    });

    it("prints what it makes, with its position and the total", async () => {
        const lines: string[] = [];
        await fillItems([countingItem("a"), countingItem("b")], { ...quiet, say: (line) => lines.push(line) });
        assert.deepEqual(
            lines.map((line) => line.replace(/ +/g, " ").replace(/\d+s$/, "0s")),
            [
                "2 of 2 artifacts are left to make",
                "[1/2] a writing",
                "[1/2] a built in 0s",
                "[2/2] b writing",
                "[2/2] b built in 0s",
            ],
        );
    });

    it("names the command that installs what is missing, before it starts", async () => {
        const tools = [{ command: "no-such-compiler", package: "compiler" }];
        const item = countingItem("a", { tools });
        await assert.rejects(fillItems([item], quiet), {
            message: "not installed here: no-such-compiler\non Debian or Ubuntu: apt-get install compiler",
        });
        assert.equal(item.created, 0);
    });

    describe("with items that are only part of others", () => {
        const official = ["http://127.0.0.1:1/image"];
        const items = (changes: Partial<Item> = {}) => [
            countingItem("program", { isIntermediate: true }),
            countingItem("image", { needs: ["program"], ...changes }),
        ];
        const made = (all: ReturnType<typeof items>) => all.map(({ created }) => created);

        it("makes them if those are built", async () => {
            const all = items({ official });
            await fillItems(all, quiet);
            assert.deepEqual(made(all), [1, 1]);
        });
        it("does not if those are fetched, nor later", async () => {
            const place = "files/image";
            const make: Item["make"] = async ({ scratch, keep }) => {
                writeFileSync(join(scratch, "new"), "fetched");
                await keep(join(scratch, "new"), place);
                return { source: "official", places: [place] };
            };
            const all = items({ official, make });
            await fillItems(all, { ...quiet, way: "online" });
            const lines: string[] = [];
            await fillItems(all, { way: "offline", say: (line) => lines.push(line) });
            assert.deepEqual([all[0]?.created, lines], [0, ["all 2 artifacts are cached"]]);
        });
        it("makes those again that were built from another one", async () => {
            await fillItems(items(), quiet);
            const [program, image] = items();
            const changed = [countingItem("program", { isIntermediate: true, key: "2" }), image!];
            await fillItems(changed, quiet);
            assert.deepEqual([program?.created, ...made(changed)], [0, 1, 1]);
        });
    });

    it("makes a second fill of the same cache wait for the first", async () => {
        const one = countingItem("a");
        const same = countingItem("a");
        await Promise.all([fillItems([one], quiet), fillItems([same], quiet)]);
        assert.equal(one.created + same.created, 1);
    });

    it("waits for no other fill if nothing is missing", async () => {
        await fillItems([countingItem("there")], quiet);
        let isDone = false;
        const other = countingItem("other");
        const there = countingItem("there");
        const long = countingItem("long", {
            make: async (workshop) => {
                await fillItems([there], quiet);
                isDone = true;
                return other.make(workshop);
            },
        });
        await fillItems([long], quiet);
        assert.deepEqual([isDone, there.created], [true, 0]);
    });

    it("leaves nothing of a failed item behind", async () => {
        const bad = countingItem("bad", {
            make: async ({ scratch }) => {
                writeFileSync(join(scratch, "half"), "");
                throw new Error("interrupted");
            },
        });
        await assert.rejects(fillItems([bad], quiet));
        assert.equal(existsSync(cached("bad")), false);
        assert.equal(existsSync(join(cacheDir(), "tmp")), false);
    });
});

describe("verifying the cache", () => {
    useEmptyCache();

    it("finds what size and time do not reveal, and the next fill repairs it", async () => {
        const item = countingItem("a");
        await fillItems([item], quiet);
        const { modified } = JSON.parse(readFileSync(join(cacheDir(), "index.json"), "utf8")).a.files["files/a"];
        writeFileSync(cached("a"), "CONTENTS of a");
        await utimes(cached("a"), modified / 1000, modified / 1000);
        const findings = await verify([item], () => {});
        assert.deepEqual(findings, [{ id: "a", state: "damaged", damaged: ["files/a"] }]);
        await fillItems([item], quiet);
        assert.equal(readFileSync(cached("a"), "utf8"), "contents of a");
    });

    it("reports what is intact, what is missing and what is outdated", async () => {
        await fillItems([countingItem("a"), countingItem("old")], quiet);
        const items = [countingItem("a"), countingItem("old", { key: "2" }), countingItem("new")];
        const states = (await verify(items, () => {})).map(({ state }) => state);
        assert.deepEqual(states, ["intact", "outdated", "missing"]);
    });
});
