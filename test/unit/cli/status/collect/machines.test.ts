import assert from "node:assert/strict";
import { sshMachines } from "../../../../../cli/reach/cluster";
import { askControllers } from "../../../../../cli/status/collect/machines";
import { ifKnown } from "../../../../../cli/status/facts";
import { judgeMachines } from "../../../../../cli/status/judge/nodes";
import type { RecoveryRecord } from "../../../../../components/bootstrap/bootstrap";
import { FakeSsh } from "../../reach/fake-ssh";

describe("controllers of a cloud, queried over SSH", () => {
    let fake: FakeSsh;
    beforeEach(() => {
        fake = new FakeSsh();
    });
    afterEach(() => fake.remove());

    const machines = { "c-controller-0": "10.0.0.11", "c-default-0": "10.0.0.31" };
    const cloud = (options: object = {}) =>
        sshMachines(
            {
                name: "prod",
                record: { options: { name: "c", ...options }, machines } as unknown as RecoveryRecord,
                addresses: machines,
                hasOtherNodes: false,
                exported: {},
            },
            {},
        );

    it("report what is running, each by its node's own address", async () => {
        fake.add("curl", "#!/bin/sh\necho ok\n");
        fake.add("systemctl", "#!/bin/sh\necho active\n");
        const listed: object[] = [];
        const asked = await askControllers(cloud(), [], (all) => listed.push(...all));
        assert.deepEqual(listed, [{ name: "c-controller-0", address: "10.0.0.11" }]);
        const [first] = ifKnown(asked.machines)!;
        assert.equal(first?.state, "running");
        const { kubelet, containerd } = ifKnown(first!.inside)!;
        assert.deepEqual({ kubelet, containerd }, { kubelet: "ok", containerd: "active" });
        assert.deepEqual([...asked.reports.keys()], ["c-controller-0"]);
    });

    it("include the candidates that were controllers when the API last answered", async () => {
        const names: string[] = [];
        const candidates = {
            controllers: { candidates: ["default"] },
            workerPools: [{ name: "default", count: 2 }],
        };
        await askControllers(cloud(candidates), [{ name: "c-default-0" }, { name: "c-other" }], (all) =>
            names.push(...all.map(({ name }) => name)),
        );
        assert.deepEqual(names, ["c-controller-0", "c-default-0"]);
    });

    it("are not critical if SSH cannot reach them, and the reason is reported", async () => {
        fake.fail("ssh: connect to host 10.0.0.11 port 22: Connection timed out\n");
        const asked = await askControllers(cloud(), [], () => {});
        assert.equal(asked.reports.size, 0);
        const findings = judgeMachines({ machines: asked.machines } as Parameters<typeof judgeMachines>[0]);
        assert.deepEqual(
            findings.map(({ severity, code }) => [severity, code]),
            [["warning", "machine-unreached"]],
        );
        assert.match(
            findings[0]!.message,
            /^This machine cannot reach a controller over SSH: c-controller-0 \(ssh core@10\.0\.0\.11\): .*timed out/,
        );
    });
});
