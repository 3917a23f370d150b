import assert from "node:assert/strict";
import { config, directory, dropin, file, group, link, render, toCloudInit, unit, user } from "../../../ignition";
import * as machines from "../../../machines";

const cluster = `t${process.pid}c`;
const service = `[Unit]
Description=Says what its drop-in left for it
[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/bin/sh -c 'cp /run/left /run/said'
[Install]
WantedBy=multi-user.target
`;

/** One of everything that both formats support. */
const everything = config({
    files: [
        file("/etc/hostname", "node.tradewind.test\n"),
        file("/etc/secret", "no\n", { mode: 0o600 }),
        file("/etc/compressed", "text ".repeat(100), { gzip: true }),
        file("/etc/systemd/system/regular.service", "[Unit]\n"),
        file("/etc/bytes", Buffer.from([0, 255, 13, 10])),
        file("/srv/owned", "1:20", { user: "core", group: "ops", mode: 0o640 }),
        file("/etc/sysctl.d/90-test.conf", "net.ipv4.ip_forward=1\n"),
        { path: "/etc/appended", mode: 0o644, append: [{ source: "data:,a" }, { source: "data:,b" }] },
    ],
    directories: [directory("/var/lib/private-thing", { mode: 0o700, user: "core" })],
    // A directory of the image, and a user that it has already.
    links: [
        link("/usr/share/doc", "/opt"),
        link("/opt/deep/link", "/etc/secret"),
        link("/opt/deep/hard", "/etc/secret", { hard: true }),
    ],
    units: [
        unit("said.service", {
            enabled: true,
            contents: service,
            dropins: [dropin("10-left.conf", "[Service]\nExecStartPre=/bin/sh -c 'echo left >/run/left'\n")],
        }),
        unit("masked.service", { mask: true, contents: "[Unit]\n" }),
        unit("absent.service", { enabled: false }),
        // What only some images have, before units that every node needs.
        unit("docker.service", { enabled: true }),
        unit("regular.service", { mask: true }),
    ],
    users: [
        user("core", { uid: 1500, groups: ["ops"], sshAuthorizedKeys: ["ssh-ed25519 AAAA test"], shell: "/bin/sh" }),
        user("games", { passwordHash: "$6$hash", groups: ["ops"] }),
    ],
    groups: [group("ops", { gid: 1600 })],
});

const look = `set -eu
stat -c '%n %a %U:%G %F %h' /etc/secret /etc/compressed /etc/bytes /srv/owned /etc/appended /var/lib/private-thing /opt/deep/link
sha256sum /etc/hostname /etc/secret /etc/compressed /etc/bytes /srv/owned /etc/appended
readlink /opt/deep/link /usr/share/doc /etc/systemd/system/masked.service /etc/systemd/system/regular.service
id games
getent shadow games | cut -d: -f2
hostname
cat /proc/sys/net/ipv4/ip_forward
id core
getent passwd core | cut -d: -f3-
grep -rhs test /home/core/.ssh | sort
systemctl is-enabled said.service
timeout 20 sh -c 'until [ "$(systemctl is-active said.service)" = active ]; do sleep 0.2; done'
cat /run/said
`;

describe("a machine with either kind of OS", function () {
    this.timeout(120_000);
    let subnet: string;

    before(async () => {
        await machines.ensureEngine();
        subnet = await machines.pickSubnet(cluster);
        await machines.createNetwork({ cluster, subnet, domain: "tradewind.test" });
    });
    after(() => machines.destroyCluster(cluster));

    it("is set up the same by Ignition and by the cloud-init form of its config", async () => {
        const seen = await Promise.all(
            (["ignition", "cloud-init"] as const).map(async (os, index) => {
                const text = os === "ignition" ? render(everything) : toCloudInit(everything);
                const address = subnet.replace(".0/24", `.${11 + index}`);
                await machines.createMachine({ cluster, name: os, address, config: text, os });
                return machines.exec(cluster, os, ["sh", "-c", look]);
            }),
        );
        assert.match(seen[0]!, /^\/etc\/secret 600 root:root regular file 2$/m);
        assert.match(seen[0]!, /^left$/m);
        assert.equal(seen[1], seen[0]);
    });
});
