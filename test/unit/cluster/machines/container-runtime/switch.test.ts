import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import {
    chmodSync,
    existsSync,
    mkdirSync,
    mkdtempSync,
    readFileSync,
    readlinkSync,
    rmSync,
    symlinkSync,
    writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { containerRuntimeSwitch } from "../../../../../cluster/machines/container-runtime/install";
import { paths } from "../../../../../cluster/paths";
import { diffable } from "../../../../../ignition";
import { until } from "../../../../engine/until";
import { assertShell } from "../../../components/in-cluster/shell";

const texts = diffable(containerRuntimeSwitch());
const script = texts[`${paths.bin}/switch-container-runtime`]!.replace(/^.*?(?=#!)/s, "");

describe("a machine whose container runtime the node-agent changes", () => {
    let folder: string;
    const path = (name: string) => join(folder, name);
    const write = (name: string, text: string) => writeFileSync(path(name), text);
    const read = (name: string) => (existsSync(path(name)) ? readFileSync(path(name), "utf8").trim() : undefined);
    const current = () => readlinkSync(path("current"));
    /** A runtime, and whether it starts containers. */
    const install = (id: string, startsContainers = true) => {
        mkdirSync(path(id));
        for (const name of ["containerd", "containerd-shim-runc-v2"]) write(`${id}/${name}`, id);
        write(
            `${id}/ctr`,
            `#!/bin/sh\necho "$@" >>${path("asked")}\necho words >&2\nexit ${startsContainers ? 0 : 1}\n`,
        );
        chmodSync(path(`${id}/ctr`), 0o755);
    };
    /** Shortens the quarter of an hour. */
    const command = (looks = 10) => {
        const program = script
            .replaceAll(paths.containerRuntimes, folder)
            .replace("seq 900", `seq ${looks}`)
            .replace("sleep 1", "sleep 0.01");
        const env = { ...process.env, PATH: `${path("bin")}:${process.env.PATH}` };
        return ["-c", program, { env }] as const;
    };
    const run = () => {
        const [flag, program, { env }] = command();
        return execFileSync("sh", [flag, program], { env, stdio: "pipe", encoding: "utf8" });
    };
    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "runtime-switch-"));
        mkdirSync(path("bin"));
        // A broken one does not start.
        write(
            "bin/systemctl",
            `#!/bin/sh\necho "$1 $(readlink ${folder}/current)" >>${folder}/started\n` +
                `case "$1 $(readlink ${folder}/current)" in "restart broken") exit 1 ;; esac\n`,
        );
        chmodSync(path("bin/systemctl"), 0o755);
        for (const id of ["old", "new", "broken"]) install(id);
        install("idle", false);
        symlinkSync("old", path("current"));
    });
    afterEach(() => rmSync(folder, { recursive: true }));
    const restarts = () => (read("started") ?? "").split("\n").filter((line) => line.startsWith("restart"));

    it("has a script that a shell can read, and a unit that drops none of it", () => {
        assertShell(script);
        assert.match(
            texts["container-runtime-switch.path"]!,
            /PathExists=\/opt\/tradewind\/container-runtime\/request$/m,
        );
        assert.match(texts["container-runtime-switch.service"]!, /Type=oneshot/);
    });

    it("starts the new runtime, tests a container, and keeps it once confirmed", async () => {
        write("request", "new\n");
        const [flag, program, options] = command(1_000);
        const child = spawn("sh", [flag, program], { ...options, stdio: "ignore" });
        const ended = new Promise((resolve) => child.on("exit", resolve));
        await until("the container", async () => existsSync(path("asked")));
        assert.deepEqual([current(), read("trial"), read("request")], ["new", "old", undefined]);
        rmSync(path("trial"));
        assert.equal(await ended, 0);
        assert.deepEqual([current(), restarts()], ["new", ["restart new"]]);
        assert.match(read("asked")!, /^--namespace tradewind run --rm --rootfs \S+\/probe probe-\d+ \/program -v$/);
    });

    it("rolls back a runtime that does not start, or starts no container, and records why", () => {
        write("request", "broken\n");
        run();
        assert.deepEqual([current(), read("trial"), read("fault")], ["old", undefined, "containerd does not start"]);
        write("request", "idle\n");
        run();
        assert.deepEqual([current(), read("trial")], ["old", undefined]);
        assert.equal(read("fault"), "it starts no container: words");
        assert.deepEqual(restarts(), ["restart broken", "restart old", "restart idle", "restart old"]);
    });

    it("rolls back if there is no confirmation", () => {
        write("request", "new\n");
        run();
        assert.deepEqual([current(), read("trial")], ["old", undefined]);
        assert.equal(read("fault"), "the node-agent did not confirm within 15 minutes that it works");
    });

    it("rolls back on request, without a trial", () => {
        write("trial", "old\n");
        rmSync(path("current"));
        symlinkSync("new", path("current"));
        write("request", "old\n");
        run();
        assert.deepEqual(
            [current(), read("trial"), read("fault"), restarts()],
            ["old", undefined, undefined, ["restart old"]],
        );
    });

    it("forgets the one before by no second request, and does nothing without one", () => {
        write("trial", "old\n");
        rmSync(path("current"));
        symlinkSync("broken", path("current"));
        write("request", "broken\n");
        run();
        assert.equal(current(), "old");
        run();
        assert.equal(restarts().length, 2);
    });
});
