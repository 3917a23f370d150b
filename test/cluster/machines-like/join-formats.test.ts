import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { ensure } from "../../../artifacts";
import { programPath } from "../../../artifacts/programs";
import type { Format } from "../../../cli/join-token/formats";
import { internalAddress } from "../../../clients/kubernetes/nodes";
import type { Node } from "../../../clients/kubernetes/objects";
import { paths } from "../../../cluster/paths";
import { createMachine, destroyMachine, exec, type MachineOs, type OsLike } from "../../../machines";
import { describeLong } from "../../takes-long";
import { eventually, TestCluster } from "../cluster";
import { hasJoined } from "../joined-machine";

/** A machine to join, and what a person does with the printed config. */
interface Joining {
    readonly node: string;
    readonly format: Format;
    readonly os: MachineOs;
    readonly like?: OsLike;
    readonly prepared?: (config: string) => string;
}

const cluster = new TestCluster("joinforms");
const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJoinTest added-by-a-person";

/** The real program. */
function butane(text: string): string {
    const config = `${text}passwd:\n  users:\n    - name: core\n      ssh_authorized_keys: ["${key}"]\n`;
    return execFileSync(programPath("butane"), ["--strict"], { input: config, encoding: "utf8" });
}

const forFlatcar = (text: string) =>
    text.replace(/^variant: fcos$/m, "variant: flatcar").replace(/^version: .*$/m, "version: 1.1.0");

const machines: readonly Joining[] = [
    { node: "like-ubuntu", format: "cloud-init", os: "cloud-init", like: "ubuntu" },
    { node: "like-coreos", format: "butane", os: "ignition", like: "fedora-coreos", prepared: butane },
    {
        node: "like-flatcar",
        format: "butane",
        os: "ignition",
        like: "flatcar",
        prepared: (text) => butane(forFlatcar(text)),
    },
    { node: "debian", format: "command", os: "ignition" },
];

const nothing = JSON.stringify({ ignition: { version: "3.5.0" } });

describeLong("a machine of another operating system", function () {
    this.timeout(400_000);
    let subnet: string;

    before(async () => {
        await ensure({ only: ["butane"], say: () => {} });
        await cluster.start("--controllers", "1", "--workers", "1", "--yes");
        subnet = internalAddress(await cluster.get<Node>("node", `${cluster.name}-default-0`))!.replace(/\d+$/, "");
    });
    after(() => cluster.destroy());
    afterEach(async () => {
        await cluster.kubectl("delete", "deployment", "racked", "--ignore-not-found");
    });

    for (const [index, { node, format, os, like, prepared = (text: string) => text }] of machines.entries()) {
        const title = `${node} joins with the format ${format}, runs a pod, and is cleaned by reset`;
        it(title, async () => {
            const address = `${subnet}${81 + index}`;
            const options = ["--pool", "default", "--address", address, "--format", format];
            const text = prepared((await cluster.tradewind("join-token", node, ...options)).stdout);
            const isBoot = format !== "command";
            const own = { cluster: cluster.name, name: node, address, os, ...(like && { osLike: like }) };
            try {
                await createMachine({ ...own, config: isBoot ? text : nothing });
                if (!isBoot) await exec(cluster.name, node, ["sh"], text);
                await hasJoined(cluster, node, "default", address);
                if (format === "butane")
                    assert.match(await cluster.exec(node, "cat /home/core/.ssh/*"), /added-by-a-person/);
                await cluster.tradewind("reset", node);
                await assert.rejects(cluster.kubectl("get", "node", node), /not found/);
                const left = `pgrep -l 'kubelet|containerd-shim' || true; ls -d ${paths.pki} ${paths.bin} 2>/dev/null || true`;
                const isClean = async () => assert.equal((await cluster.exec(node, left)).trim(), "");
                await eventually("nothing of the cluster on the machine", isClean);
            } finally {
                await destroyMachine(cluster.name, node);
            }
        });
    }
});
