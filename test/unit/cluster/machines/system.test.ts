import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CniPlugins, renderCniPluginsEnv } from "../../../../agents/nodes/node-agent/cni-plugins/plugins";
import { system } from "../../../../cluster/machines/system";
import { paths } from "../../../../cluster/paths";
import { diffable } from "../../../../ignition";
import { plugin, pluginArchive } from "../../agents/nodes/node-agent/plugin-archive";
import { downloads, dualStack, fixedCluster } from "../../components/in-cluster/fixture";
import { assertShell } from "../../components/in-cluster/shell";
import { commandsOf } from "./shell-commands";

describe("a node before its kubelet", () => {
    const network = { podCidr: "10.4.0.0/16", serviceCidr: "10.5.0.0/16" };
    const machine = { name: "c-a-0", address: "10.0.0.21" };
    const texts = diffable(system(fixedCluster({ network }), machine, downloads.cniPlugins));

    it("keeps packets for service and pod addresses inside until something claims them", () => {
        const script = texts["/opt/tradewind/bin/node-routes"]!;
        assert.match(script, /^ip route replace 10\.5\.0\.0\/16 dev services proto kernel$/m);
        assert.match(script, /^ip route replace unreachable 10\.4\.0\.0\/16 metric 4096 proto kernel$/m);
    });

    it("keeps those by IPv6 inside too, and forwards them", () => {
        const dual = system(fixedCluster({ network: { ...network, ...dualStack } }), machine, downloads.cniPlugins);
        const script = diffable(dual)["/opt/tradewind/bin/node-routes"]!;
        assert.match(script, /^ip -6 route replace fd00:10:3::\/112 dev services proto kernel$/m);
        assert.match(script, /^ip -6 route replace unreachable fd00:10:2::\/56 metric 4096 proto kernel$/m);
        assert.match(diffable(dual)["/etc/sysctl.d/90-tradewind.conf"]!, /^net\.ipv6\.conf\.all\.forwarding = 1$/m);
        assertShell(script.replace(/^mode.*\n/, ""));
        assert.doesNotMatch(JSON.stringify(texts), /ipv6|ip -6/);
    });

    it("blocks pods from the cloud's metadata", () => {
        const script = texts["/opt/tradewind/bin/node-routes"]!;
        assert.match(
            script,
            /^ip rule add from 10\.4\.0\.0\/16 to 169\.254\.169\.254 prohibit priority 100 protocol kernel$/m,
        );
    });

    it("leaves network cards to the OS, whatever their names, and however many", () => {
        const [, names] = /^Name=(.*)$/m.exec(texts["/etc/systemd/network/05-tradewind.network"]!)!;
        const cards = ["eth0", "eth1", "ens3", "ens4", "ens5", "enp0s3", "enX0", "enX1", "en0", "net0"];
        const patterns = names!
            .split(" ")
            .map((each) => new RegExp(`^${each.replace(".", "[.]").replace("*", ".*")}$`));
        const isOurs = (card: string) => patterns.some((pattern) => pattern.test(card));
        assert.deepEqual(cards.filter(isOurs), []);
        assert.ok(isOurs("veth1a2b3c"));
    });

    it("keeps systemd-networkd from the routes and rules of others, and from links of pods", () => {
        const settings = texts["/etc/systemd/networkd.conf.d/90-tradewind.conf"]!;
        for (const of of ["Routes", "RoutingPolicyRules"])
            assert.match(settings, new RegExp(`^ManageForeign${of}=no$`, "m"));
        const links = texts["/etc/systemd/network/05-tradewind.network"]!;
        assert.match(links, /^\[Match\]\nName=services cni\* flannel\* veth\* .*\n\n\[Link\]\nUnmanaged=yes$/m);
        // Everything must have a mark that systemd-networkd respects before it has read its settings.
        const added = texts["/opt/tradewind/bin/node-routes"]!.match(/^ip (-6 )?(route replace|rule add) .*$/gm)!;
        assert.deepEqual(
            added.filter((line) => !/ proto(col)? kernel$/.test(line)),
            [],
        );
    });

    it("lets the OS stage its updates, and keeps it from rebooting for them by itself", () => {
        assert.match(texts["locksmithd.service"]!, /mask/i);
        assert.equal(texts["zincati.service"], undefined);
        const strategy = /^mode 0644\n\[updates\]\nstrategy = "marker_file"$/m;
        assert.match(texts["/etc/zincati/config.d/55-tradewind.toml"]!, strategy);
    });

    it("has the host name assigned by its cloud, unless one is configured", () => {
        assert.match(texts["/etc/hostname"]!, /c-a-0/);
        const unnamed = system(fixedCluster(), { address: "10.0.0.0/16" }, downloads.cniPlugins);
        assert.equal(diffable(unnamed)["/etc/hostname"], undefined);
    });

    it("has both scripts run before the kubelet", () => {
        for (const unit of ["node-routes.service", "cni-plugins.service"]) {
            assert.match(texts[unit]!, /^RequiredBy=kubelet\.service$/m);
        }
    });

    it("hands connections of a closing listener to the next one", () => {
        assert.match(texts["/etc/sysctl.d/90-tradewind.conf"]!, /^net\.ipv4\.tcp_migrate_req = 1$/m);
    });

    describe("and its CNI plugins", () => {
        let folder: string;
        beforeEach(() => {
            folder = mkdtempSync(join(tmpdir(), "tradewind-system-"));
        });
        afterEach(() => rmSync(folder, { recursive: true }));

        const contents = (path: string) => texts[path]!.replace(/^mode.*\n/, "");
        const place = (name: string) => join(folder, name);
        const bridge = () => readFileSync(place("bin/bridge"), "utf8").split("\n")[1];
        /** Boots with a local archive instead of downloads, and returns what was requested. */
        const boot = ({ bytes }: { bytes: Buffer }, path = process.env.PATH!) => {
            writeFileSync(place("served"), bytes);
            const fetch = `#!/bin/sh\n[ -s "$1" ] && exit\necho "$@"\ncp ${place("served")} "$1"\n`;
            writeFileSync(place("fetch"), fetch, { mode: 0o755 });
            const script = contents("/opt/tradewind/bin/install-cni-plugins")
                .replaceAll("/opt/tradewind/bin/fetch", place("fetch"))
                .replaceAll(paths.cni, folder);
            const { stdout, stderr, status } = spawnSync("/bin/sh", ["-c", script], {
                encoding: "utf8",
                env: { PATH: path },
            });
            assert.equal(status, 0, stderr);
            warning = stderr;
            return stdout;
        };
        let warning: string;
        /** A `PATH` with the programs that the script needs, and these. */
        const pathWith = (...more: string[]) => {
            const needed = commandsOf(contents("/opt/tradewind/bin/install-cni-plugins")).map(([program]) => program!);
            mkdirSync(place("path"));
            for (const program of new Set(["sh", "cp", "gzip", ...needed.filter((each) => !each.includes("/"))])) {
                const found = execFileSync("sh", ["-c", `command -v ${program}`], { encoding: "utf8" });
                symlinkSync(found.trim(), place(`path/${program}`));
            }
            for (const program of more) writeFileSync(place(`path/${program}`), "", { mode: 0o755 });
            return place("path");
        };
        const [first, second] = ["v1", "v2"].map((version) => pluginArchive({ bridge: plugin(version) }));

        it("installs once those that it was made with", () => {
            writeFileSync(place("plugins.env"), contents(paths.cniPlugins));
            const { sha256, urls } = downloads.cniPlugins;
            assert.equal(boot(first!), `${place(`cni-plugins-${sha256}.tgz`)} ${sha256} ${urls.join(" ")}\n`);
            assert.equal(bridge(), "# v1");
            assert.equal(boot(second!), "");
            assert.equal(bridge(), "# v1");
        });

        it("unpacks them again if a power cut left one empty, short or with other bytes", () => {
            writeFileSync(place("plugins.env"), contents(paths.cniPlugins));
            boot(first!);
            assertShell(contents("/opt/tradewind/bin/install-cni-plugins"));
            for (const damaged of ["", "# ", "noise"]) {
                writeFileSync(place("bin/bridge"), damaged);
                // The archive is here.
                assert.equal(boot(second!), "");
                assert.equal(bridge(), "# v1");
            }
        });

        // Debian's images have no iptables since version 11.
        for (const [programs, expected] of [
            [
                [],
                /^<4>this machine has neither iptables nor nft: pods with a hostPort will not start \(CNI plugin portmap\)\n$/,
            ],
            [["iptables"], /^$/],
            [["nft"], /^$/],
        ] as const) {
            it(`installs them on a machine with ${programs.join() || "neither iptables nor nft, and warns"}`, () => {
                writeFileSync(place("plugins.env"), contents(paths.cniPlugins));
                boot(first!, pathWith(...programs));
                assert.equal(bridge(), "# v1");
                assert.match(warning, expected);
            });
        }

        it("keeps those that the node-agent put in their place", async () => {
            const { sha256 } = first!;
            writeFileSync(place("plugins.env"), renderCniPluginsEnv({ sha256, urls: ["http://mirror.test/first"] }));
            boot(first!);
            const plugins = new CniPlugins(folder);
            writeFileSync(place(`cni-plugins-${second!.sha256}.tgz`), second!.bytes);
            assert.deepEqual(await plugins.swap({ sha256: second!.sha256, urls: [] }, true), { isIn: true });
            assert.equal(boot(first!), "");
            assert.equal(bridge(), "# v2");
            // If the archive was removed, everything is installed again.
            rmSync(place(`cni-plugins-${second!.sha256}.tgz`));
            assert.match(boot(second!), new RegExp(second!.sha256));
            assert.equal(bridge(), "# v2");
        });
    });
});
