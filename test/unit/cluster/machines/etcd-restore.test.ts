import assert from "node:assert/strict";
import { restorePlanSchema } from "../../../../agents/etcd/keeper/restore/plan";
import { planProblems } from "../../../../agents/harness/plan";
import {
    etcdRestorePath,
    etcdRestorePlan,
    etcdRestoreScript,
} from "../../../../cluster/machines/bootstrap/recovery-assets";
import { fixedCluster } from "../../components/in-cluster/fixture";
import { assertShell } from "../../components/in-cluster/shell";
import { golden } from "../../golden";

const script = etcdRestoreScript(fixedCluster());
const machine = { name: "c-controller-0", address: "10.0.0.11" };
const plan = etcdRestorePlan({ id: "one", source: { file: "/var/lib/tradewind/etcd-snapshots/a.db" }, machine });

describe("The restore of a controller's etcd member", () => {
    it("runs as reviewed", () => golden(__dirname, "etcd-restore", script));

    it("is a shell script without faults", () => assertShell(script));

    it("has a plan that the agent accepts, for a cluster with only this member", () => {
        assert.deepEqual(planProblems(plan, restorePlanSchema), []);
        assert.equal(plan.initialCluster, "c-controller-0=https://10.0.0.11:2380");
    });

    it("can include several members from one snapshot", () => {
        const members = [machine, { name: "c-controller-1", address: "10.0.0.12" }];
        const { initialCluster } = etcdRestorePlan({ id: "one", source: plan.source, machine, members });
        assert.equal(initialCluster, "c-controller-0=https://10.0.0.11:2380,c-controller-1=https://10.0.0.12:2380");
    });

    it("reaches all that the plan names", () => {
        const { directories, etcdutl, source } = plan;
        const mounted = [...script.matchAll(/dst=([^,]+),options=rbind:(r[ow])/g)].map(([, path, mode]) => [
            path,
            mode,
        ]);
        const modeOf = (file: string) => mounted.find(([path]) => `${file}/`.startsWith(`${path}/`))?.[1];
        for (const path of Object.values(directories)) assert.equal(modeOf(path), "rw", path);
        for (const path of [etcdutl, etcdRestorePath, (source as { file: string }).file]) {
            assert.equal(modeOf(path), "ro", path);
        }
    });
});
