import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { osReboot } from "../../../../cluster/machines/os-reboot";
import { paths } from "../../../../cluster/paths";
import { diffable } from "../../../../ignition";
import { assertShell } from "../../components/in-cluster/shell";

const texts = diffable(osReboot());
const script = (name: string) => texts[`${paths.bin}/${name}`]!.replace(/^.*?(?=#!)/s, "");
const state = paths.nodeAgentState;

describe("a machine that is rebooted by the node-agent", () => {
    let folder: string;
    const path = (name: string) => join(folder, name);
    const write = (name: string, text: string) => writeFileSync(path(name), text);
    const text = (name: string) => readFileSync(path(name), "utf8");
    /** Runs a script in its own folder, with a `systemctl` that prints its arguments. */
    const run = (name: string) => {
        const program = script(name)
            .replaceAll(state, folder)
            .replaceAll("/run/ostree/staged-deployment", path("staged"));
        const env = { ...process.env, PATH: `${path("bin")}:${process.env.PATH}` };
        return execFileSync("sh", ["-c", program], { env, encoding: "utf8" });
    };
    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "os-reboot-"));
        mkdirSync(path("bin"));
        write("bin/systemctl", '#!/bin/sh\necho "$@"\n');
        chmodSync(path("bin/systemctl"), 0o755);
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    it("has scripts that a shell can read", () => {
        for (const name of ["os-boot", "os-reboot"]) assertShell(script(name));
    });

    it("gives each boot an id and discards earlier requests, including those left by a power failure", () => {
        run("os-boot");
        const first = text("boot");
        assert.match(first, /^[0-9a-f-]{36}\n$/);
        for (const name of ["reboot", "reboot-taken", "reboot-requested", "boot.new"]) write(name, first);
        run("os-boot");
        assert.notEqual(text("boot"), first);
        for (const name of ["reboot", "reboot-taken", "reboot-requested", "boot.new"])
            assert.ok(!existsSync(path(name)), name);
    });

    it("reboots once for a request of this boot, and for no other", () => {
        run("os-boot");
        write("reboot", text("boot"));
        assert.equal(run("os-reboot"), "reboot\n");
        assert.ok(!existsSync(path("reboot")));
        assert.equal(text("reboot-taken"), text("boot"));
        write("reboot", "another boot\n");
        assert.equal(run("os-reboot"), "");
        assert.ok(!existsSync(path("reboot")), "one that stays would have the unit started again and again");
    });

    it("detects requests of Debian, Ubuntu, Flatcar and Fedora CoreOS, once per boot", () => {
        assert.deepEqual(texts["os-reboot-due.path"]!.match(/PathExists=.*$/gm), [
            "PathExists=/run/reboot-required",
            "PathExists=/run/ostree/staged-deployment",
        ]);
        assert.match(texts["os-reboot-due.service"]!, /RemainAfterExit=yes/);
    });

    it("finalizes an update that is staged, which a reboot alone would leave out, and reboots if it cannot", () => {
        run("os-boot");
        const again = (program: string) => {
            write("reboot", text("boot"));
            write("bin/rpm-ostree", program);
            chmodSync(path("bin/rpm-ostree"), 0o755);
            return run("os-reboot");
        };
        write("staged", "");
        const finalizes = '#!/bin/sh\necho "rpm-ostree $@"\n';
        const command = "rpm-ostree finalize-deployment --allow-missing-checksum --allow-unlocked\n";
        assert.equal(again(finalizes), command, "it reboots by itself");
        assert.equal(again(`${finalizes}exit 1\n`), `${command}reboot\n`);
        rmSync(path("staged"));
        assert.equal(again(finalizes), "reboot\n");
    });

    it("has an id for its boot before a reboot can be requested and the node-agent runs", () => {
        for (const name of ["os-reboot-due.service", "os-reboot.service"]) {
            assert.match(texts[name]!, /Requires=os-boot\.service\s+After=os-boot\.service/, name);
        }
        assert.match(texts["os-boot.service"]!, /Before=kubelet\.service/);
    });
});
