import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { program } from "../../../../cli/timeline/command";
import { writeRun } from "../../../../local/record";
import { clusterState } from "../../../../local/state";
import { elementsOf } from "../picture/xml";
import { at, boot, requests } from "./sample";

describe("tradewind timeline", () => {
    let folder: string;
    const { TRADEWIND_STATE: before } = process.env;
    const log = console.log;

    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-timeline-"));
        process.env.TRADEWIND_STATE = join(folder, "state");
        console.log = () => undefined;
        writeRun(clusterState("c").timeline, boot());
    });
    afterEach(() => {
        console.log = log;
        if (before === undefined) delete process.env.TRADEWIND_STATE;
        else process.env.TRADEWIND_STATE = before;
        rmSync(folder, { recursive: true });
    });

    const tallies = (change = {}) => {
        const path = join(folder, "requests.json");
        writeFileSync(path, JSON.stringify(requests(change)));
        return path;
    };

    it("draws the boot and the last change, with requests below", async () => {
        writeRun(clusterState("c").timeline, boot({ parts: {} }));
        const output = join(folder, "c.svg");
        assert.equal(await program.run(["--output", output, "--requests", tallies()]), 0);
        const texts = elementsOf(readFileSync(output, "utf8")).map(({ text }) => text);
        for (const text of ["Boot", "Last change", "wait-for-api", "watches"]) assert.ok(texts.includes(text), text);
    });

    it("shows the API requests of npm start below", async () => {
        writeRun(clusterState("c").timeline, boot({ parts: {}, requests: requests() }));
        const output = join(folder, "c.svg");
        assert.equal(await program.run(["--output", output]), 0);
        assert.ok(elementsOf(readFileSync(output, "utf8")).some(({ text }) => text === "watches"));
    });

    it("uses the cluster of KUBECONFIG if there are several", async () => {
        writeRun(clusterState("b").timeline, boot());
        await assert.rejects(program.run([]), /there are several local clusters; choose one with --name: b, c/);
        const { KUBECONFIG } = process.env;
        const { kubeconfig } = clusterState("b");
        writeFileSync(
            kubeconfig,
            [
                "clusters: [{name: b, cluster: {server: 'https://127.0.0.1:1'}}]",
                "users: [{name: b, user: {token: t}}]",
                "contexts: [{name: b, context: {cluster: b, user: b}}]",
                "current-context: b",
            ].join("\n"),
        );
        process.env.KUBECONFIG = kubeconfig;
        const output = join(folder, "b.svg");
        try {
            assert.equal(await program.run(["--output", output]), 0);
        } finally {
            if (KUBECONFIG === undefined) delete process.env.KUBECONFIG;
            else process.env.KUBECONFIG = KUBECONFIG;
        }
        assert.ok(elementsOf(readFileSync(output, "utf8")).some(({ text }) => text === "b"));
    });

    it("draws a run of a cloud cluster from its events", async () => {
        const events = join(folder, "events.jsonl");
        const of = (op: string, type: string, name: string) => ({
            metadata: { op, type, urn: `urn:pulumi:p::shop::${type}::${name}` },
        });
        const lines = ["blue", "red"].flatMap((name) => {
            const component = of("create", "tradewind:index:DigitalOceanCluster", name);
            const droplet = of("create", "digitalocean:index/droplet:Droplet", `${name}-default-0`);
            return [{ resourcePreEvent: component }, { resourcePreEvent: droplet }, { resOutputsEvent: droplet }];
        });
        writeFileSync(
            events,
            lines.map((line, index) => JSON.stringify({ timestamp: 1e9 + index, ...line })).join("\n"),
        );
        const output = join(folder, "red.svg");
        assert.equal(await program.run(["--events", events, "--name", "red", "--output", output]), 0);
        const texts = elementsOf(readFileSync(output, "utf8")).map(({ text }) => text);
        for (const text of ["red", "Boot", "red-default-0", "machine created"]) assert.ok(texts.includes(text), text);
        assert.ok(!texts.includes("blue-default-0"));
        await assert.rejects(program.run(["--events", events]), /--name must be one of blue, red, got nothing/);
        writeFileSync(events, "");
        await assert.rejects(
            program.run(["--events", events]),
            /--events must be the log of an up that changed a cluster, got /,
        );
        await assert.rejects(program.run(["--events", join(folder, "none")]), /--events must be a readable file, got /);
    });

    it("rejects requests of another time", async () => {
        await assert.rejects(program.run(["--name", "c", "--requests", tallies({ from: at(900), to: at(990) })]), {
            message: `--requests must be recorded during the 50 s from ${at(0)}, got ${at(900)} to ${at(990)}`,
        });
    });

    it("rejects missing clusters, and other kinds of files", async () => {
        await assert.rejects(program.run(["--name", "other"]), /--name must be one of c, got other/);
        await assert.rejects(program.run(["--output", "c.pdf"]), /--output must be a .svg file/);
    });
});
