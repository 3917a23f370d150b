import assert from "node:assert/strict";
import {
    existsSync,
    mkdirSync,
    mkdtempSync,
    readdirSync,
    readFileSync,
    rmSync,
    statSync,
    writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StageLog } from "../../../../../agents/boot/bootstrap/bootstrap";
import { Journal } from "../../../../../agents/boot/bootstrap/journal";
import { readManifests } from "../../../../../agents/boot/bootstrap/manifests";
import { removeDurably, writeDurably } from "../../../../../agents/harness/durable";
import { readStages } from "./agent-process";

describe("the agent's files", () => {
    let directory: string;

    beforeEach(() => {
        directory = mkdtempSync(join(tmpdir(), "tradewind-disk-"));
    });

    afterEach(() => rmSync(directory, { recursive: true }));

    it("are written elsewhere and moved, private, over the leftovers of a killed run", () => {
        const watched = join(directory, "manifests");
        mkdirSync(watched);
        writeFileSync(join(directory, ".pod.json.half"), "ha", { mode: 0o644 });
        writeDurably(join(watched, "pod.json"), "whole", { scratch: directory });
        assert.deepEqual(readdirSync(watched), ["pod.json"]);
        assert.equal(readFileSync(join(watched, "pod.json"), "utf8"), "whole");
        assert.equal(statSync(join(watched, "pod.json")).mode & 0o777, 0o600);
        assert.equal(existsSync(join(directory, ".pod.json.half")), false);
    });

    it("are removed once", () => {
        const path = join(directory, "pod.json");
        writeFileSync(path, "");
        assert.equal(removeDurably(path), true);
        assert.equal(removeDurably(path), false);
    });

    it("record steps across runs", () => {
        const journal = new Journal(directory);
        journal.start("label-node");
        journal.finish("label-node", 1.23456);
        journal.start("wait-for-self-hosted");
        const next = new Journal(directory);
        assert.equal(next.wasFinished("label-node"), true);
        assert.equal(next.wasStarted("wait-for-self-hosted"), true);
        assert.equal(next.wasFinished("wait-for-self-hosted"), false);
        assert.equal(next.wasStarted("record-pivot"), false);
        assert.deepEqual(next.durations(), { "label-node": 1.235 });
        // Once started again, it no longer counts as done.
        next.start("label-node");
        assert.equal(new Journal(directory).wasFinished("label-node"), false);
    });

    it("count as an empty journal if they are corrupt", () => {
        writeFileSync(join(directory, "journal.json"), '{"steps":');
        assert.equal(new Journal(directory).wasStarted("verify-assets"), false);
    });

    it("log each event on its own line, even after a partial line", () => {
        const printed: string[] = [];
        const log = new StageLog(directory, (line) => printed.push(line));
        log.write({ step: "label-node", event: "start" });
        const path = join(directory, "stages.jsonl");
        writeFileSync(path, `${readFileSync(path, "utf8")}{"time":"half`);
        log.write({ step: "label-node", event: "done", seconds: 1.25, message: "fine" });
        const lines = readFileSync(path, "utf8").trimEnd().split("\n");
        assert.equal(lines.length, 3);
        assert.deepEqual(
            { ...JSON.parse(lines[2] ?? ""), time: "" },
            { time: "", step: "label-node", event: "done", seconds: 1.25, message: "fine" },
        );
        assert.deepEqual(printed, ["label-node: fine (1.3s)"]);
        writeFileSync(path, `${lines[0]}\n`);
        assert.equal(readStages(path).length, 1);
    });

    describe("with manifests", () => {
        const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c" } };
        const write = (name: string, content: unknown) => writeFileSync(join(directory, name), JSON.stringify(content));

        it("are read in numeric order, and Lists as their items", () => {
            write("100-b.json", object);
            write("020-a.json", { kind: "List", items: [object, object] });
            write("020-z.json", object);
            const groups = readManifests(directory).map(({ order, objects }) => [
                order,
                objects.map(({ file }) => file),
            ]);
            assert.deepEqual(groups, [
                [20, ["020-a.json", "020-a.json", "020-z.json"]],
                [100, ["100-b.json"]],
            ]);
        });

        it("are rejected if they have other names", () => {
            write("a.json", object);
            assert.throws(() => readManifests(directory), /a\.json must be named <number>-<name>\.json$/);
        });

        it("are rejected without a name inside", () => {
            write("1-a.json", { ...object, metadata: {} });
            assert.throws(
                () => readManifests(directory),
                /1-a\.json must be an object with apiVersion, kind and metadata\.name$/,
            );
        });

        it("are rejected if they are not JSON", () => {
            writeFileSync(join(directory, "1-a.json"), "kind: ConfigMap");
            assert.throws(() => readManifests(directory), /1-a\.json must be JSON: /);
        });
    });
});
