import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readlinkSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compressed, config, directory, file, link, toScript, unit, user } from "../../../ignition";
import { assertShell } from "../components/in-cluster/shell";

describe("a config as a script", () => {
    const folder = mkdtempSync(join(tmpdir(), "tradewind-script-"));
    after(() => rmSync(folder, { recursive: true }));
    const text = "it's $HOME `date` \\ END\nEND\n";
    const bytes = Buffer.from([0, 255, 10, 0]);
    const files = config({
        files: [
            file(join(folder, "deep/text"), text, { mode: 0o640 }),
            file(join(folder, "bytes"), bytes),
            file(join(folder, "it's"), ""),
        ],
        directories: [directory(join(folder, "empty"), { mode: 0o700 })],
        links: [link(join(folder, "link"), "bytes")],
    });

    it("writes the same files, directories and links, as often as it runs", function () {
        if (process.getuid?.() !== 0) this.skip();
        for (const script of [toScript(files), toScript(compressed(files)), toScript(files)]) {
            assertShell(script);
            const { status, stderr } = spawnSync("sh", { input: script, encoding: "utf8" });
            assert.deepEqual([status, stderr], [0, ""]);
            assert.equal(readFileSync(join(folder, "deep/text"), "utf8"), text);
            assert.deepEqual(readFileSync(join(folder, "bytes")), bytes);
            assert.equal(readFileSync(join(folder, "it's"), "utf8"), "");
            const modes = ["deep/text", "empty"].map((path) => statSync(join(folder, path)).mode & 0o777);
            assert.deepEqual(modes, [0o640, 0o700]);
            assert.equal(readlinkSync(join(folder, "link")), "bytes");
        }
    });

    it("keeps secrets from other users at all times, and lets all of them into its directories, whatever root's umask is", function () {
        if (process.getuid?.() !== 0) this.skip();
        const secret = config({ files: [file(join(folder, "new/secret"), "token", { mode: 0o600 })] });
        const watched = 'chmod() { stat -c %a "$2"; command chmod "$@"; }\n';
        for (const umask of ["umask 022\n", "umask 077\n"]) {
            rmSync(join(folder, "new"), { recursive: true, force: true });
            const input = `${umask}${watched}${toScript(secret)}`;
            const { stdout, stderr } = spawnSync("sh", { input, encoding: "utf8" });
            assert.deepEqual([stdout, stderr], ["600\n", ""]);
            assert.equal(statSync(join(folder, "new")).mode & 0o777, 0o755);
        }
    });

    it("sets the host's name, and starts units last", () => {
        const units = [unit("a.service", { enabled: true, contents: "[Service]\nExecStart=/bin/true\n" })];
        const lines = toScript(config({ files: [file("/etc/hostname", "a\n")], units })).split("\n");
        const at = (line: string) => lines.indexOf(line);
        const order = [
            "hostname -F /etc/hostname",
            "systemctl daemon-reload",
            "systemctl enable 'a.service' || true",
            "systemctl restart --no-block 'a.service' || true",
        ].map(at);
        assert.deepEqual(
            order,
            [...order].sort((one, other) => one - other),
        );
        assert.ok(order[0]! > 0, lines.join("\n"));
    });

    it("is refused for what only a first boot can do", () => {
        assert.throws(
            () => toScript(config({ users: [user("core")] })),
            /^Error: passwd\.users conflicts with a script$/,
        );
        const appended = config({ files: [{ path: "/a", append: [{ source: "data:,b" }] }] });
        assert.throws(() => toScript(appended), /\/a must have contents of its own in a script/);
        const disks = { ...config(), storage: { disks: [{ device: "/dev/sdb" }] } };
        assert.throws(() => toScript(disks), /storage\.disks conflicts with/);
    });
});
