import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { bootConsole } from "../../../../cluster/machines/joining-configs";
import { diffable } from "../../../../ignition";
import { assertShell } from "../../components/in-cluster/shell";

describe("the console report of a machine", () => {
    const texts = diffable(bootConsole());
    const script = texts["/opt/tradewind/bin/boot-console"]!.replace(/^mode.*\n/, "");

    it("repeats until the machine is a node", () => {
        const unit = texts["boot-console.service"]!;
        assert.match(unit, /^StandardOutput=journal\+console$/m);
        assert.match(unit, /^SyslogLevel=notice$/m);
        assert.match(unit, /^ConditionPathExists=!\/var\/lib\/kubelet\/pki\/kubelet-client-current\.pem$/m);
    });

    it("is said by a script that a shell can read", () => assertShell(script));

    it("contains the state of each unfinished unit and its last log lines, without possible secrets", () => {
        const folder = mkdtempSync(join(tmpdir(), "tradewind-console-"));
        const program = (name: string, text: string) =>
            writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
        // It sleeps once and is then stopped.
        program("sleep", `echo "$1" >>${folder}/slept; [ "$(wc -l <${folder}/slept)" = 1 ]`);
        program(
            "systemctl",
            `case "$3 $5" in
            "LoadState etcd-disk.service") echo not-found ;;
            LoadState*) echo loaded ;;
            *"State cni-plugins.service") [ "$3" = ActiveState ] && echo active || echo exited ;;
            *State*) [ "$3" = ActiveState ] && echo activating || echo auto-restart ;;
            esac`,
        );
        program("journalctl", `echo 'no source: https://me:secret@mirror.example/kubelet?X-Signature=secret failed'`);
        try {
            const env = { PATH: [folder, process.env.PATH].join(delimiter) };
            const said = execFileSync("sh", ["-c", script], { env, encoding: "utf8" });
            assert.match(said, /^tradewind: .* is not a node yet, \d+ s after boot\n/);
            const containerd =
                "tradewind: containerd.service: activating auto-restart\ntradewind:   no source: https://mirror.example/kubelet? failed\n";
            assert.ok(said.includes(containerd), said);
            assert.doesNotMatch(said, /secret|etcd-disk|cni-plugins/);
        } finally {
            rmSync(folder, { recursive: true });
        }
    });
});
