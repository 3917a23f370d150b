import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { resolvConf, resolvConfScript } from "../../../../cluster/machines/resolv-conf";
import { paths } from "../../../../cluster/paths";
import { diffable } from "../../../../ignition";
import { assertShell } from "../../components/in-cluster/shell";

interface Files {
    readonly own?: string;
    readonly resolved?: string;
}

describe("the resolv.conf of pods that use their node's DNS", () => {
    const script = diffable(resolvConf())[resolvConfScript]!.replace(/^mode.*\n/, "");
    const dropIn = "10-resolv-conf.conf";
    let folder: string;
    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-resolv-"));
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    /**
     * Runs on a machine with these files. @param wait - what happens in a second of waiting.
     * @returns the path in the kubelet's settings, if any
     */
    function start({ own, resolved }: Files, wait = "true"): string | undefined {
        const place = (name: string, text: string | undefined) =>
            text === undefined ? rmSync(join(folder, name), { force: true }) : writeFileSync(join(folder, name), text);
        place("own", own);
        place("resolved", resolved);
        const here = script
            .replaceAll("/run/systemd/resolve/resolv.conf", join(folder, "resolved"))
            .replaceAll("/etc/resolv.conf", join(folder, "own"))
            .replaceAll("/run/resolv-conf-of-pods", join(folder, "made"))
            .replaceAll(paths.kubeletConfigDropIns, join(folder, "conf.d"))
            .replace("sleep 1", wait);
        execFileSync("/bin/sh", ["-c", here]);
        const told = join(folder, "conf.d", dropIn);
        return existsSync(told)
            ? /^resolvConf: (.*)$/m.exec(readFileSync(told, "utf8"))?.[1]?.replace(folder, "")
            : undefined;
    }

    const upstream = "# by systemd-resolved\nnameserver 10.0.0.2\n";
    const stub = "# by systemd-resolved\nnameserver 127.0.0.53\noptions edns0 trust-ad\nsearch a.example\n";
    const machines: [string, Files, string | undefined][] = [
        ["the stub of systemd-resolved, as Ubuntu and Fedora CoreOS", { own: stub, resolved: upstream }, "/resolved"],
        ["the servers themselves, as Flatcar", { own: upstream, resolved: upstream }, undefined],
        ["no systemd-resolved, as Debian", { own: upstream }, undefined],
        ["a resolver of its own that is not systemd's", { own: "nameserver 127.0.0.1\n" }, "/made"],
        ["nothing, without systemd-resolved", { own: "" }, "/made"],
        ["nothing, and systemd-resolved has no server", { own: stub, resolved: "# no servers known\n" }, "/made"],
        ["no file at all", {}, "/made"],
        ["that one before systemd-resolved", { own: "nameserver\t127.0.0.1\n", resolved: upstream }, "/resolved"],
        ["a stub by IPv6", { own: "  nameserver ::1\n", resolved: upstream }, "/resolved"],
        ["one of two that is the stub", { own: `nameserver 10.0.0.2\n${stub}`, resolved: upstream }, "/resolved"],
        ["a file of its own that says nothing", { own: "", resolved: upstream }, "/resolved"],
        ["none at all", { resolved: upstream }, "/resolved"],
        ["a stub in a comment alone", { own: `# nameserver 127.0.0.53\n${upstream}`, resolved: upstream }, undefined],
    ];
    for (const [what, files, told] of machines) {
        const whose: Record<string, string> = {
            "/resolved": "that of systemd-resolved's servers",
            "/made": "a new one",
        };
        it(`is ${whose[told ?? ""] ?? "the machine's own"} where that names ${what}`, () => {
            assert.equal(start(files), told);
        });
    }

    const unreachable = "nameserver 192.0.2.1\n";
    const made: [string, string, string][] = [
        ["an unreachable server, with which CoreDNS starts, where there is none", "", unreachable],
        ["that server instead of the machine's loopback address", "nameserver 127.0.0.1\n", unreachable],
        ["that server next to settings", "search a.example\nnameserver ::1\n", `search a.example\n${unreachable}`],
        [
            "the others, where one of two is on loopback",
            "nameserver 127.0.0.1\nnameserver 10.0.0.2\n",
            "nameserver 10.0.0.2\n",
        ],
    ];
    for (const [what, own, text] of made) {
        it(`has ${what}`, () => {
            assert.equal(start({ own }), "/made");
            assert.equal(readFileSync(join(folder, "made"), "utf8"), text);
        });
    }

    it("waits for servers that become known late, but not for those that never do", () => {
        const seconds = join(folder, "seconds");
        const later = (file: string) => {
            writeFileSync(seconds, "");
            const text = join(folder, "later");
            writeFileSync(text, upstream);
            return `echo >>${seconds}; [ "$(wc -l <${seconds})" -lt 3 ] || cp ${text} ${join(folder, file)}`;
        };
        assert.equal(start({ own: "nameserver 127.0.0.11\n" }, later("own")), undefined);
        assert.equal(start({ own: stub }, later("resolved")), "/resolved");
        assert.equal(readFileSync(seconds, "utf8").length, 3);
        assert.equal(start({ own: upstream }, later("own")), undefined);
        assert.equal(start({ own: `${stub}nameserver 10.0.0.2\n` }, later("own")), "/made");
        assert.equal(readFileSync(seconds, "utf8"), "");
        assert.equal(start({ own: "" }, `echo >>${seconds}`), "/made");
        assert.equal(readFileSync(seconds, "utf8").length, 10);
    });

    it("is the machine's own again once that has servers, at the next start", () => {
        assert.equal(start({ own: "" }), "/made");
        assert.equal(start({ own: upstream }), undefined);
        assert.equal(start({ own: stub, resolved: "" }), "/made");
        assert.equal(start({ own: stub, resolved: upstream }), "/resolved");
    });

    it("changes with the operating system, at the next start", () => {
        assert.equal(start({ own: upstream }), undefined);
        assert.equal(start({ own: stub, resolved: upstream }), "/resolved");
        assert.equal(start({ own: upstream }), undefined);
    });

    it("gives way to drop-ins of the host's owner, which sort after it", () => {
        assert.deepEqual([dropIn, "50-own.conf", "90-host.conf"].sort()[0], dropIn);
        assert.ok(script.includes(`${paths.kubeletConfigDropIns}/${dropIn}`));
        assertShell(script);
    });
});
