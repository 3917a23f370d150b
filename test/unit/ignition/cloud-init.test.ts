import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { parse as parseYaml } from "yaml";
import * as ignition from "../../../ignition";
import { anyConfig } from "./arbitrary";

const { config, directory, dropin, file, group, link, remoteFile, toCloudInit, unit, user } = ignition;

interface Entry {
    path: string;
    content: string;
    encoding?: "b64" | "gz+b64";
}

const read = (value: ignition.Config) => parseYaml(toCloudInit(value), { version: "1.1" });

function contentsOf({ content, encoding }: Entry): Buffer {
    const bytes = Buffer.from(content, encoding ? "base64" : "utf8");
    return encoding === "gz+b64" ? gunzipSync(bytes) : bytes;
}

describe("toCloudInit", () => {
    it("writes files, units and drop-ins, then starts what is enabled", () => {
        const value = config({
            files: [file("/etc/x", "hello\n", { mode: 0o600 }), file("/bin/y", Buffer.from([0xff, 0]))],
            directories: [directory("/var/z", { mode: 0o700, user: "core" })],
            links: [link("/l/m", "/t")],
            units: [
                unit("a.service", { enabled: true, contents: "[Unit]\n", dropins: [dropin("1.conf", "[Service]\n")] }),
                unit("b.service", { mask: true, contents: "[Unit]\n" }),
                unit("c.socket", { enabled: true }),
                unit("d.service", { enabled: false }),
                unit("e.service", { dropins: [dropin("1.conf", "[Service]\n")] }),
            ],
        });
        assert.match(toCloudInit(value), /^#cloud-config\n/);
        assert.deepEqual(read(value), {
            write_files: [
                { path: "/etc/x", permissions: "0600", content: "hello\n" },
                { path: "/bin/y", permissions: "0644", content: "/wA=", encoding: "b64" },
                { path: "/etc/systemd/system/a.service", permissions: "0644", content: "[Unit]\n" },
                { path: "/etc/systemd/system/a.service.d/1.conf", permissions: "0644", content: "[Service]\n" },
                { path: "/etc/systemd/system/e.service.d/1.conf", permissions: "0644", content: "[Service]\n" },
            ],
            runcmd: [
                "set -e",
                ["mkdir", "-p", "/var/z"],
                ["chmod", "0700", "/var/z"],
                ["chown", "core:root", "/var/z"],
                ["mkdir", "-p", "/l"],
                ["rm", "-rf", "/l/m"],
                ["ln", "-sfnT", "/t", "/l/m"],
                ["ln", "-sfnT", "/dev/null", "/etc/systemd/system/b.service"],
                ["systemctl", "daemon-reload"],
                "systemctl stop 'b.service' || true",
                "systemctl disable --now 'd.service' || true",
                "systemctl enable 'a.service' || true",
                "systemctl enable 'c.socket' || true",
                "systemctl restart --no-block 'a.service' || true",
                "systemctl start --no-block 'c.socket' || true",
                "systemctl try-restart --no-block 'e.service' || true",
            ],
        });
    });

    it("creates users in addition to the system's own, and groups with their ids before them", () => {
        const value = config({
            users: [
                user("core", { uid: 500, sshAuthorizedKeys: ["key"], passwordHash: "$y$", noCreateHome: true }),
                user("games", { shouldExist: false }),
            ],
            groups: [group("ops", { gid: 600 })],
        });
        assert.deepEqual(read(value), {
            bootcmd: [["sh", "-c", 'getent group "$0" || groupadd "$@" "$0"', "ops", "-g", "600"]],
            users: [
                "default",
                {
                    name: "core",
                    uid: 500,
                    no_create_home: true,
                    passwd: "$y$",
                    lock_passwd: false,
                    ssh_authorized_keys: ["key"],
                },
            ],
            runcmd: [
                "set -e",
                ["sh", "-c", 'if getent passwd "$0"; then userdel "$0"; fi', "games"],
                ["usermod", "-p", "$y$", "core"],
            ],
        });
    });

    it("writes a user's files once the user exists", () => {
        const [written] = read(config({ files: [file("/x", "", { user: "core" })] })).write_files;
        assert.deepEqual(written, { path: "/x", permissions: "0644", owner: "core:root", defer: true, content: "" });
    });

    it("appends where Ignition does, and leaves contents that it should not change", () => {
        const value = config({ files: [{ path: "/x", append: [{ source: "data:,a" }] }] });
        assert.deepEqual(read(value).write_files, [
            { path: "/x", permissions: "0644", append: true, content: "" },
            { path: "/x", permissions: "0644", append: true, content: "a" },
        ]);
    });

    it("enables templates and their instances without starting a template", () => {
        const template = unit("a@.service", { enabled: true, contents: "[Service]\n" });
        const { runcmd } = read(config({ units: [template, unit("a@1.service", { enabled: true })] }));
        assert.deepEqual(runcmd.slice(2), [
            "systemctl enable 'a@.service' || true",
            "systemctl enable 'a@1.service' || true",
            "systemctl start --no-block 'a@1.service' || true",
        ]);
    });

    it("sets the groups of a user that the image may have already", () => {
        const { runcmd } = read(config({ users: [user("games", { groups: ["a", "b"] })] }));
        assert.deepEqual(runcmd, ["set -e", ["usermod", "-G", "a,b", "games"]]);
    });

    it("keeps a host name that the config sets", () => {
        const { hostname, fqdn } = read(config({ files: [file("/etc/hostname", "a.example.com\n")] }));
        assert.deepEqual({ hostname, fqdn }, { hostname: "a.example.com", fqdn: "a.example.com" });
    });

    it("has sysctls read again", () => {
        const { runcmd } = read(config({ files: [file("/etc/sysctl.d/90.conf", "a=1\n")] }));
        assert.deepEqual(runcmd, ["set -e", ["systemctl", "restart", "systemd-sysctl.service"]]);
    });

    it("has networkd and logind read their settings again, where they run, and networkd once", () => {
        const folders = ["network", "networkd.conf.d", "logind.conf.d"];
        const { runcmd } = read(config({ files: folders.map((each) => file(`/etc/systemd/${each}/a`, "a\n")) }));
        assert.deepEqual(runcmd, [
            "set -e",
            "if systemctl is-active --quiet systemd-networkd.service; then systemctl restart systemd-networkd.service; fi",
            "if systemctl is-active --quiet systemd-logind.service; then systemctl kill --signal=HUP systemd-logind.service; fi",
        ]);
    });

    const refused: [string, object, string][] = [
        [
            "disks",
            { storage: { disks: [{ device: "/dev/x" }] } },
            'storage.disks conflicts with cloud-init (got [{"device":"/dev/x"}])',
        ],
        [
            "kernel arguments",
            { kernelArguments: { shouldExist: ["a"] } },
            'kernelArguments conflicts with cloud-init (got {"shouldExist":["a"]})',
        ],
        [
            "a store's URL",
            { storage: { files: [{ path: "/a", contents: { source: "s3://b/k" } }] } },
            "storage.files[0].contents.source must be a URL that cloud-init's commands can fetch (got s3://b/k)",
        ],
        [
            "emptied directories",
            { storage: { directories: [{ path: "/a", overwrite: true }] } },
            "storage.directories[0].overwrite conflicts with cloud-init (got true)",
        ],
        [
            "owners of links",
            { storage: { links: [{ path: "/a", target: "/b", user: { name: "root" }, group: { id: 5 } }] } },
            'storage.links[0].group conflicts with cloud-init (got {"id":5})',
        ],
    ];
    for (const [what, parts, message] of refused) {
        it(`refuses ${what}`, () => {
            assert.throws(() => toCloudInit({ ...config(), ...parts }), { message });
        });
    }

    it("keeps every file's contents, whatever they are", () => {
        fc.assert(
            fc.property(anyConfig, (value) => {
                const entries: Entry[] = read(value).write_files ?? [];
                for (const { path, contents } of value.storage?.files ?? []) {
                    const written = contentsOf(entries.find((entry) => entry.path === path)!);
                    const url = contents!.source!;
                    const bytes = Buffer.from(url.slice(url.indexOf(",") + 1), "base64");
                    assert.deepEqual(written, url.includes(";base64") ? ungzip(bytes, contents!.compression) : written);
                }
            }),
        );
    });

    it("gives the same text for the same config", () => {
        fc.assert(
            fc.property(anyConfig, (value) => assert.equal(toCloudInit(structuredClone(value)), toCloudInit(value))),
        );
    });
});

function ungzip(bytes: Buffer, compression: string | null | undefined): Buffer {
    return compression === "gzip" ? gunzipSync(bytes) : bytes;
}

describe("a file that cloud-init fetches", () => {
    const sha256 = "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03";
    let folder: string;
    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-ignition-"));
        // Replaces the download, which is not tested here.
        writeFileSync(join(folder, "curl"), '#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done\necho hello >"$2"\n', {
            mode: 0o755,
        });
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    const fetch = (digest: string) => {
        const path = join(folder, "new folder/x'y");
        const remote = remoteFile(path, "https://x/", { sha256: digest, mode: 0o750 });
        // Owners are the user that runs the test.
        const owned = { ...remote, user: { id: process.getuid!() }, group: { id: process.getgid!() } };
        const [, [command, ...parts]] = read(config({ files: [owned] })).runcmd;
        execFileSync(command, parts, { env: { PATH: `${folder}:${process.env.PATH}` }, stdio: "ignore" });
        return path;
    };

    it("is put in place with its mode when its hash is right", () => {
        const path = fetch(sha256);
        assert.equal(readFileSync(path, "utf8"), "hello\n");
        assert.equal(statSync(path).mode & 0o7777, 0o750);
    });

    it("is not when its hash is wrong", () => {
        assert.throws(() => fetch("0".repeat(64)), /Command failed/);
        assert.throws(() => statSync(join(folder, "new folder/x'y")), { code: "ENOENT" });
    });
});
