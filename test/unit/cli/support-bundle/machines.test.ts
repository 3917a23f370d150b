import assert from "node:assert/strict";
import type { ClusterMachines } from "../../../../cli/reach/cluster";
import { Gathered } from "../../../../cli/support-bundle/gathered";
import { addMachines } from "../../../../cli/support-bundle/machines";
import type { RecoveryRecord } from "../../../../components/bootstrap/bootstrap";

describe("machines in a support bundle", () => {
    const access = { name: "c", connection: undefined, kubeconfig: "nowhere", notes: "nowhere" };
    const ofCloud = (record: () => Promise<RecoveryRecord>): ClusterMachines => ({
        choice: "--stack c",
        hasOtherNodes: false,
        record,
        ready: async () => {},
        wake: async () => {},
        controller: (name) => ({ name, run: async (script) => `said to ${script.slice(0, 14)}` }),
    });

    it("are the controllers in their cluster's record", async () => {
        const found = new Gathered();
        const options = { name: "c", controllers: { count: 1 } } as RecoveryRecord["options"];
        await addMachines({ access, machines: ofCloud(async () => ({ options }) as RecoveryRecord) }, found);
        assert.deepEqual(found.missed, []);
        const [first] = found.entries("b").filter(({ path }) => path.endsWith("journal.log"));
        assert.match(first?.path ?? "none", /^b\/machines\/c-controller-0\//);
        assert.equal(first?.contents, "said to { journalctl -");
    });

    it("include the audit log on request only", async () => {
        const record = async () => ({ options: { name: "c", controllers: { count: 1 } } }) as RecoveryRecord;
        for (const auditLog of [false, true]) {
            const found = new Gathered();
            await addMachines({ access, machines: ofCloud(record) }, found, { auditLog });
            assert.equal(
                found.entries("b").some(({ path }) => path.endsWith("/audit.log")),
                auditLog,
            );
        }
    });

    it("are listed as missing: without a record yet, or without a stack", async () => {
        const found = new Gathered();
        await addMachines({ access, machines: ofCloud(() => Promise.reject(new Error("no record yet"))) }, found);
        await addMachines({ access }, found);
        assert.deepEqual(found.missed, ["controllers: no record yet", "machines: use --stack to include them"]);
    });
});
