import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { resetProgram, resettable } from "../../../../cluster/machines/reset";
import { config, diffable, file, unit } from "../../../../ignition";

const own = config({
    files: [file("/etc/kubernetes/own", "x")],
    units: [unit("kubelet.service", { enabled: true, contents: "[Service]\n" })],
});
const shown = diffable(resettable(own, "rack-1", "https://api:6443"));
const listFile = "/opt/tradewind/reset.list";
const volume = "/var/lib/tradewind/volumes/pvc/data";
const mounted = "/var/lib/kubelet/pods/a/volumes/pv";

/** Runs the program in a directory as if that were the machine's file system, with commands that only log their call. */
function reset(before: Readonly<Record<string, string>>, { unmounts = true } = {}) {
    const root = mkdtempSync(join(tmpdir(), "tradewind-reset-"));
    const at = (path: string) => join(root, path);
    const put = (path: string, text: string, mode = 0o644) => {
        mkdirSync(dirname(at(path)), { recursive: true });
        writeFileSync(at(path), text, { mode });
    };
    try {
        const inRoot = (text: string) => text.replaceAll(/(?<![\w}])\/(etc|var|opt|run|proc|usr)(?=\/)/g, `${root}/$1`);
        const program = inRoot(shown[resetProgram]!.replace(/^mode 0755\n/, ""));
        const others = program
            .replaceAll(root, "")
            .match(/(?<![\w$"}:.*/])\/(?!dev\/null|bin\/sh|api\/|etc|var|opt|run|proc|usr)\w+/g);
        assert.equal(others, null, "a path outside of the directory");
        for (const command of ["systemctl", "pkill", "ip", "umount", "curl", "ctr"]) {
            const acts = command === "umount" && unmounts ? `: >'${at("/proc/mounts")}'` : "";
            put(`stubs/${command}`, `#!/bin/sh\necho "${command} $*" >>'${at("log")}'\n${acts}\n`, 0o755);
        }
        put("/usr/bin/ctr", "#!/bin/sh\n", 0o755);
        put("/proc/mounts", inRoot(`/dev/sda1 ${mounted} ext4 rw 0 0\n`));
        for (const [path, text] of Object.entries(before)) put(path, inRoot(text));
        mkdirSync(at("/run"), { recursive: true });
        const { status, stdout } = spawnSync("sh", ["-s", "rack-1", "https://api:6443"], {
            input: program,
            encoding: "utf8",
            env: { PATH: `${at("stubs")}:${process.env.PATH}` },
        });
        const log = existsSync(at("log")) ? readFileSync(at("log"), "utf8") : "";
        return { status, stdout, log, left: Object.keys(before).filter((path) => existsSync(at(path))) };
    } finally {
        rmSync(root, { recursive: true });
    }
}

describe("a machine that leaves its cluster", () => {
    const list = shown[listFile]!.replace(/^mode 0600\n/, "");
    const files = {
        [listFile]: list,
        "/etc/kubernetes/own": "",
        "/etc/kubernetes/pki/ca.crt": "",
        "/var/lib/kubelet/pki/kubelet-client-current.pem": "",
        "/etc/motd": "",
        [volume]: "",
    };

    it("removes what made it a node, keeps data and files of others, and reports it", () => {
        const { status, log, left, stdout } = reset(files);
        assert.deepEqual([status, left], [0, ["/etc/motd", volume]], stdout);
        assert.match(log, /^systemctl disable --now .*kubelet\.service/m);
        assert.match(log, /^curl .*nodes\/rack-1$/m);
    });

    it("changes and reports nothing if it does not know what it has to remove", () => {
        for (const text of [undefined, ""]) {
            const { [listFile]: _, ...others } = files;
            const before = text === undefined ? others : { ...others, [listFile]: text };
            const { status, log, left, stdout } = reset(before);
            assert.deepEqual([status, left], [1, Object.keys(before)], stdout);
            assert.doesNotMatch(log, /curl|disable/);
            assert.match(stdout, /reset\.list is missing/);
        }
    });

    it("removes no file while a volume of a pod is mounted among them", () => {
        const before = { ...files, [`${mounted}/data`]: "" };
        const { status, log, left, stdout } = reset(before, { unmounts: false });
        assert.deepEqual([status, left], [1, Object.keys(before)], stdout);
        assert.doesNotMatch(log, /curl/);
        assert.match(stdout, /still mounted/);
    });
});
