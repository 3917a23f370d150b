import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
    chmodSync,
    existsSync,
    mkdirSync,
    mkdtempSync,
    readdirSync,
    readFileSync,
    readlinkSync,
    rmSync,
    symlinkSync,
    writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { containerd } from "../../../../../cluster/machines/container-runtime/containerd";
import { containerRuntime } from "../../../../../cluster/machines/container-runtime/install";
import { diffable } from "../../../../../ignition";
import { fixedCluster } from "../../../components/in-cluster/fixture";
import { assertShell } from "../../../components/in-cluster/shell";

const runtime = {
    containerd: {
        urls: ["https://a.example/containerd.tar.gz", "https://b.example/containerd.tar.gz"],
        sha256: "1".repeat(64),
    },
    runc: { urls: ["https://a.example/runc.amd64"], sha256: "2".repeat(64) },
};
const id = "111111111111-222222222222";
const programs = ["containerd", "containerd-shim-runc-v2", "ctr", "runc"];
const texts = diffable(containerRuntime(runtime));
const script = texts["/opt/tradewind/bin/install-container-runtime"]!.replace(/^.*?(?=#!)/s, "");

describe("a container runtime that machines fetch", () => {
    it("is not expected in the OS image", () => {
        const [own, fetched] = [{}, { containerRuntime: runtime }].map((downloads) =>
            diffable(containerd(fixedCluster(), downloads)),
        );
        const units = (of: Record<string, string>) => Object.keys(of).filter((name) => /\.(service|path)/.test(name));
        assert.deepEqual(units(own!), ["containerd.service", "containerd.service.d/10-config.conf"]);
        assert.deepEqual(units(fetched!).sort(), [
            "container-runtime-switch.path",
            "container-runtime-switch.service",
            "container-runtime.service",
            "containerd.service",
        ]);
        assert.match(fetched!["containerd.service"]!, /^ExecStart=\/usr\/bin\/containerd --config \/etc\/containerd/m);
        assert.equal(own!["/etc/containerd/config.toml"], fetched!["/etc/containerd/config.toml"]);
    });

    it("leaves containers to their shims when it restarts, and records its version once it runs", () => {
        const unit = texts["containerd.service"]!;
        for (const line of ["KillMode=process", "Delegate=yes", "Type=notify"]) assert.ok(unit.includes(`\n${line}\n`));
        assert.match(unit, /^ExecStartPost=.*readlink \/opt\/tradewind\/container-runtime\/current >\S+\/running'$/m);
    });

    describe("by its script", () => {
        let root: string;
        /** With a folder instead of the root, and local archives instead of downloads. */
        const run = () =>
            execFileSync(
                "sh",
                ["-c", script.replaceAll("/opt/tradewind", `${root}/opt`).replaceAll("/usr/bin", `${root}/bin`)],
                {
                    encoding: "utf8",
                    stdio: "pipe",
                },
            );
        const bin = (name: string) => join(root, "bin", name);
        const here = (name: string) => join(root, "opt/container-runtime", name);

        beforeEach(() => {
            root = mkdtempSync(join(tmpdir(), "tradewind-runtime-"));
            const release = join(root, "release", "bin");
            for (const folder of [release, join(root, "bin"), join(root, "opt/bin")])
                mkdirSync(folder, { recursive: true });
            for (const name of ["containerd", "containerd-shim-runc-v2", "ctr", "containerd-stress"]) {
                writeFileSync(join(release, name), name);
            }
            execFileSync("tar", ["-czf", join(root, "containerd.tar.gz"), "-C", join(root, "release"), "bin"]);
            writeFileSync(join(root, "runc"), "runc");
            const fetch = `#!/bin/sh\nset -eu\necho "$@" >> ${root}/asked\nmkdir -p "\${1%/*}"\ncp "${root}/\${1##*/}" "$1"\n`;
            writeFileSync(join(root, "opt/bin/fetch"), fetch);
            chmodSync(join(root, "opt/bin/fetch"), 0o755);
        });
        afterEach(() => rmSync(root, { recursive: true }));

        it("that a shell can read", () => assertShell(script));

        it("is installed in its own directory, with only links among the programs of the OS", () => {
            run();
            for (const name of programs) {
                assert.equal(readFileSync(bin(name), "utf8"), name);
                assert.equal(readlinkSync(bin(name)), here(`current/${name}`));
                execFileSync("test", ["-x", bin(name)]);
            }
            assert.deepEqual(readdirSync(here("")).sort(), [id, "current"]);
            assert.deepEqual(readdirSync(here("current")).sort(), [...programs, "sums"]);
            assert.equal(existsSync(bin("containerd-stress")), false);
            const asked = readFileSync(join(root, "asked"), "utf8").trim().split("\n");
            assert.deepEqual(
                asked.map((line) => line.split(" ").slice(1)),
                [
                    [runtime.containerd.sha256, ...runtime.containerd.urls],
                    [runtime.runc.sha256, ...runtime.runc.urls],
                ],
            );
        });

        it("is not reinstalled, but completed after an interrupted run", () => {
            run();
            const asked = readFileSync(join(root, "asked"), "utf8");
            run();
            assert.equal(readFileSync(join(root, "asked"), "utf8"), asked);
            rmSync(here("current"));
            mkdirSync(here("unpacked/bin"), { recursive: true });
            run();
            assert.equal(readFileSync(bin("containerd"), "utf8"), "containerd");
        });

        it("is installed again if a power cut left a program empty, short or with other bytes", () => {
            run();
            for (const damaged of ["", "contai", "noise"]) {
                writeFileSync(here(`${id}/containerd`), damaged);
                run();
                assert.equal(readFileSync(bin("containerd"), "utf8"), "containerd");
            }
        });

        it("stays the one that the node-agent put in its place", () => {
            run();
            mkdirSync(here("other"));
            rmSync(here("current"));
            symlinkSync("other", here("current"));
            run();
            assert.equal(readlinkSync(here("current")), "other");
        });

        it("is the one before again where the machine went down before the other was known to do", () => {
            run();
            mkdirSync(here("other"));
            rmSync(here("current"));
            symlinkSync("other", here("current"));
            writeFileSync(here("trial"), `${id}\n`);
            writeFileSync(here("request"), "other\n");
            run();
            assert.equal(readlinkSync(here("current")), id);
            assert.deepEqual(readdirSync(here("")).sort(), [id, "current", "other"]);
        });
    });
});
