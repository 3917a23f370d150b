import assert from "node:assert/strict";
import { shutdownDelay } from "../../../cluster/machines/kubelet/unit";
import { resolvConf, resolvConfScript } from "../../../cluster/machines/resolv-conf";
import { system } from "../../../cluster/machines/system";
import { paths } from "../../../cluster/paths";
import { merge, render, toCloudInit } from "../../../ignition";
import * as machines from "../../../machines";
import { downloads, fixedCluster } from "../../unit/components/in-cluster/fixture";
import { eventually } from "../cluster";
import type { LikeSystem } from "./systems";

const metadata = "169.254.169.254";
export const longestDelay =
    "busctl get-property org.freedesktop.login1 /org/freedesktop/login1 org.freedesktop.login1.Manager InhibitDelayMaxUSec";

/** Tests of a machine that imitates an operating system, without a cluster: seconds. */
export function describeBareMachine(like: machines.OsLike, of: LikeSystem): void {
    describe(`a machine like ${of.title}`, function () {
        this.timeout(120_000);
        const cluster = `t${process.pid}${like[0]}`;
        let subnet: string;
        const machine = async (name: string, place: number, config: string, os: machines.MachineOs = "ignition") => {
            const address = subnet.replace(".0/24", `.${place}`);
            await machines.createMachine({ cluster, name, address, config, os, osLike: like });
            const run = (command: string) => machines.exec(cluster, name, ["sh", "-c", command]);
            await run("systemctl start network-online.target systemd-resolved.service");
            return run;
        };

        before(async () => {
            await machines.ensureEngine();
            subnet = await machines.pickSubnet(cluster);
            await machines.createNetwork({ cluster, subnet, domain: "tradewind.test" });
        });
        after(() => machines.destroyCluster(cluster));

        it(`is as hostile as the real one: ${of.hostility}`, async () => {
            const run = await machine("bare", 11, JSON.stringify({ ignition: { version: "3.5.0" } }));
            assert.match(await run("cat /etc/resolv.conf"), of.nameserver);
            if (of.shortDelay) assert.equal((await run(longestDelay)).trim(), `t ${30_000_000}`);
            await run(`ip rule add from 10.2.0.0/16 to ${metadata} prohibit priority 100`);
            await run("ip route add unreachable 10.2.0.0/16 metric 4096");
            await run(of.restartNetwork);
            if (of.removesForeign) assert.doesNotMatch(await run("ip rule; ip route"), /prohibit|unreachable/);
            if (of.isReadOnly) {
                await assert.rejects(run("touch /usr/bin/x"), /Read-only file system/);
                assert.match(await run("readlink -f /bin/sh"), /\/bash$/m);
            }
            for (const [path, target] of Object.entries(of.links)) {
                assert.equal((await run(`readlink -f ${path}`)).trim(), target);
            }
            if (of.rebooter !== undefined) {
                await run(`mkdir -p ${of.flag.replace(/\/[^/]+$/, "")} && touch ${of.flag}`);
                await eventually("a reboot that nothing coordinates", () => run(`! test -e ${of.flag}`), 60);
            }
        });

        for (const [index, os] of machines.osesOf(like).entries()) {
            it(`keeps what a node needs from its first boot on, with ${os}`, async () => {
                const own = { name: `node-${os}`, address: "10.0.0.21" };
                const node = merge(system(fixedCluster(), own, downloads.cniPlugins), shutdownDelay(), resolvConf());
                const text = os === "ignition" ? render(node) : toCloudInit(node);
                const run = await machine(own.name, 12 + index, text, os);
                const isActive = () => run("systemctl is-active node-routes.service");
                await eventually("routes of the node", isActive, 30);
                assert.equal((await run(longestDelay)).trim(), `t ${50_000_000}`);
                // From a CNI plugin.
                await run(
                    "ip rule add from 10.2.7.0/24 to 192.0.2.1 prohibit priority 101; ip route add unreachable 192.0.2.0/24",
                );
                for (const again of [of.restartNetwork, of.reconfigure, of.restartNetwork]) {
                    await run(again);
                    const kept = await run("ip rule; ip route");
                    assert.match(kept, /^100:\s+from 10\.2\.0\.0\/16 to 169\.254\.169\.254 prohibit$/m, again);
                    assert.match(kept, /^101:\s+from 10\.2\.7\.0\/24 to 192\.0\.2\.1 prohibit$/m, again);
                    for (const range of ["10.2.0.0/16", "192.0.2.0/24"]) {
                        assert.ok(
                            kept.split("\n").some((line) => line.startsWith(`unreachable ${range} `)),
                            again,
                        );
                    }
                }
                await run(resolvConfScript);
                const told = await run(`cat ${paths.kubeletConfigDropIns}/* 2>/dev/null || true`);
                if (of.hasStub) assert.match(told, /^resolvConf: \/run\/systemd\/resolve\/resolv\.conf$/m);
                else assert.doesNotMatch(told, /resolvConf/);
                if (of.rebooterWaits) {
                    assert.match(await run(`systemctl is-active ${of.rebooter}`), /^active/);
                } else if (of.rebooter !== undefined) {
                    assert.match(await run(`systemctl is-enabled ${of.rebooter} || true`), /masked/);
                }
            });
        }
    });
}
