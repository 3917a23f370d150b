import assert from "node:assert/strict";
import fc from "fast-check";
import { parse as parseYaml } from "yaml";
import {
    config,
    diffable,
    directory,
    dropin,
    file,
    link,
    remoteFile,
    toCloudInit,
    unit,
    user,
} from "../../../ignition";
import { anyConfig } from "./arbitrary";

describe("toCloudInit", () => {
    const read = (text: string) => parseYaml(text);

    it("writes files, units and drop-ins, and starts what is enabled", () => {
        const text = toCloudInit(
            config({
                files: [
                    file("/etc/x", "hello\n", { mode: 0o600, user: "core" }),
                    file("/bin/y", Buffer.from([0xff, 0])),
                ],
                directories: [directory("/var/z", { mode: 0o700 })],
                links: [link("/l", "/t")],
                units: [
                    unit("a.service", {
                        enabled: true,
                        contents: "[Unit]\n",
                        dropins: [dropin("1.conf", "[Service]\n")],
                    }),
                    unit("b.service", { mask: true }),
                ],
                users: [user("core", { sshAuthorizedKeys: ["key"] })],
            }),
        );
        assert(text.startsWith("#cloud-config\n"));
        assert.deepEqual(read(text), {
            users: [{ name: "core", ssh_authorized_keys: ["key"] }],
            write_files: [
                { path: "/etc/x", permissions: "0600", owner: "core:root", content: "hello\n" },
                { path: "/bin/y", permissions: "0644", content: "/wA=", encoding: "b64" },
                { path: "/etc/systemd/system/a.service", permissions: "0644", content: "[Unit]\n" },
                { path: "/etc/systemd/system/a.service.d/1.conf", permissions: "0644", content: "[Service]\n" },
            ],
            runcmd: [
                ["install", "-d", "-m", "0700", "-o", "root", "-g", "root", "/var/z"],
                ["ln", "-sfnT", "/t", "/l"],
                ["systemctl", "daemon-reload"],
                ["systemd-sysctl"],
                ["systemctl", "mask", "--now", "b.service"],
                ["systemctl", "enable", "a.service"],
                ["systemctl", "restart", "--no-block", "a.service"],
            ],
        });
    });

    it("checks the hash of what it fetches", () => {
        const sha256 = "ab".repeat(32);
        const { runcmd } = read(toCloudInit(config({ files: [remoteFile("/a", "https://x/", { sha256 })] })));
        assert.match(runcmd[0][3], new RegExp(`echo "${sha256} {2}\\$1.part" \\| sha256sum --check`));
    });

    it("refuses what cloud-init has no equal for", () => {
        const value = { ignition: { version: "3.5.0" }, storage: { disks: [{ device: "/dev/x" }] } };
        assert.throws(() => toCloudInit(value), { message: /^storage\.disks must be empty for cloud-init, got / });
    });

    it("keeps every file's contents, whatever they are", () => {
        fc.assert(
            fc.property(anyConfig, (value) => {
                const { write_files = [] } = read(toCloudInit(value));
                const texts = diffable(value);
                for (const { path } of value.storage?.files ?? []) {
                    const written = write_files.find((entry: { path: string }) => entry.path === path);
                    assert.equal(`mode ${written.permissions}\n${written.content}`, texts[path]);
                }
            }),
        );
    });
});
