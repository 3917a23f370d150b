import assert from "node:assert/strict";
import { preflightFile, readFindings } from "../../../agents/boot/preflight";
import { controllerConfig } from "../../../cluster/machines/controller";
import { workerConfig } from "../../../cluster/machines/worker";
import { render, toCloudInit } from "../../../ignition";
import * as machines from "../../../machines";
import { requireFit } from "../../../machines/preflight";
import { downloads, fixedCluster } from "../../unit/components/in-cluster/fixture";
import { eventually } from "../cluster";

const name = `t${process.pid}p`;

/** Takes etcd's port, and has files of kubeadm. */
const unfit = JSON.stringify({
    ignition: { version: "3.5.0" },
    storage: { files: [{ path: "/etc/kubernetes/kubelet.conf", contents: { source: "data:,kubeadm" } }] },
    systemd: {
        units: [
            {
                name: "squatter.socket",
                enabled: true,
                contents: "[Socket]\nListenStream=2379\n\n[Install]\nWantedBy=sockets.target\n",
            },
            { name: "squatter.service", contents: "[Service]\nExecStart=/bin/true\n" },
        ],
    },
});

describe("the preflight of machines", function () {
    this.timeout(180_000);
    let subnet: string;
    const options = (node: string) => ({
        machine: { name: node, address: subnet.replace(".0/24", ".10") },
        downloads,
        ca: "",
        bootstrapToken: "abcdef.0123456789abcdef",
    });
    const create = (
        node: string,
        host: number,
        config: string,
        os: machines.MachineOs = "ignition",
        osLike?: machines.OsLike,
    ) =>
        machines.createMachine({
            cluster: name,
            name: node,
            address: subnet.replace(".0/24", `.${host}`),
            config,
            os,
            ...(osLike && { osLike }),
        });
    const findings = async (node: string) => {
        let text = "";
        await eventually(
            `the preflight of ${node}`,
            async () => {
                text = await machines.exec(name, node, ["cat", preflightFile]);
            },
            90,
        );
        return readFindings(text);
    };

    before(async () => {
        await machines.ensureEngine();
        subnet = await machines.pickSubnet(name);
        await machines.createNetwork({ cluster: name, subnet, domain: "tradewind.test" });
    });
    after(() => machines.destroyCluster(name));

    it("has no error on any OS image, for either role", async () => {
        const cluster = fixedCluster({ workerPools: [{ name: "a" }] });
        const [pool] = cluster.workerPools;
        const controller = render(controllerConfig(cluster, options("plain")));
        const worker = (node: string) => workerConfig(cluster, pool!, options(node));
        await Promise.all([
            create("plain", 11, controller),
            create("ubuntu", 12, toCloudInit(worker("ubuntu")), "cloud-init", "ubuntu"),
            create("flatcar", 13, render(worker("flatcar")), "ignition", "flatcar"),
            create("coreos", 14, render(worker("coreos")), "ignition", "fedora-coreos"),
        ]);
        for (const node of ["plain", "ubuntu", "flatcar", "coreos"]) {
            const { errors, warnings } = await findings(node);
            assert.deepEqual(errors, [], node);
            // Nothing serves the fixture's addresses.
            assert.deepEqual([...new Set(warnings.map((each) => each.split(":")[0]))], ["Reachable"], node);
        }
    });

    it("finds what keeps a machine from becoming a node, until it is fixed or ignored", async () => {
        const cluster = fixedCluster({ controllers: { snippets: [unfit] } });
        await create("unfit", 15, render(controllerConfig(cluster, options("unfit"))));
        const failed = await requireFit(name, "unfit", () => {}, 2).then(
            () => assert.fail("it is fit"),
            (error: Error) => error.message,
        );
        assert.match(failed, /^the preflight of unfit found 2 errors:\n/);
        assert.match(failed, /\n {2}FileAvailable-etc-kubernetes-kubelet\.conf: /);
        assert.match(
            failed,
            /\n {2}Port-2379: port 2379\/tcp must be free for etcd-client \(got systemd, process 1\)\n/,
        );
        const sh = (script: string) => machines.exec(name, "unfit", ["sh", "-c", script]);
        const state = () => sh("systemctl show --property ActiveState --value kubelet.service");
        assert.equal((await state()).trim(), "inactive");
        await sh(
            "echo FileAvailable-etc-kubernetes-kubelet.conf >/etc/tradewind/preflight-ignored; systemctl stop squatter.socket",
        );
        await requireFit(name, "unfit", () => {});
        const { errors, warnings } = await findings("unfit");
        assert.deepEqual(errors, []);
        assert.ok(warnings.some((each) => each.startsWith("FileAvailable-etc-kubernetes-kubelet.conf: ")));
        await eventually("preflight.service to be done", () => sh("systemctl is-active preflight.service"), 30);
    });
});
