import assert from "node:assert/strict";
import { gaveUpCode, planSchema } from "../../../../../agents/etcd/update/plan";
import { planProblems } from "../../../../../agents/harness/plan";
import { firstStart } from "../../../../../cluster/machines/bootstrap/assets";
import { etcdUpdateConfig, etcdUpdateJob, etcdUpdatePlan } from "../../../../../cluster/manifests/etcd/etcd-update";
import { firstController, fixedCluster, podSpecOf } from "../../../components/in-cluster/fixture";
import { golden } from "../../../golden";

const cluster = fixedCluster({ controllers: { count: 3 } });
const machine = firstController(cluster);
const plan = etcdUpdatePlan(cluster, { id: "etcd-update-x", start: firstStart(machine), members: [machine] });
const job = etcdUpdateJob(cluster, machine.name, "etcd-update-x");

describe("the Job that has a member of etcd run otherwise", () => {
    it("is as reviewed", () => golden(__dirname, "etcd-update", job));

    it("has a plan that its agent takes", () => {
        assert.deepEqual(planProblems(plan, planSchema), []);
        const { data } = etcdUpdateConfig(plan, "text") as unknown as { data: Record<string, string> };
        assert.deepEqual(JSON.parse(data["plan.json"]!), JSON.parse(JSON.stringify(plan)));
        assert.equal(data["etcd-update.js"], "text");
    });

    it("runs only on its member's machine, as root without capabilities", () => {
        const spec = podSpecOf(job)!;
        assert.deepEqual(spec.nodeSelector, { "kubernetes.io/hostname": machine.name });
        assert.equal(spec.automountServiceAccountToken, false);
        const [container] = spec.containers as { securityContext: { capabilities: object } }[];
        assert.deepEqual(container!.securityContext.capabilities, { drop: ["ALL"] });
    });

    it("fails at once if the agent gives up, and retries otherwise", () => {
        const { podFailurePolicy } = job.spec as { podFailurePolicy: object };
        assert.match(JSON.stringify(podFailurePolicy), new RegExp(`FailJob.*\\[${gaveUpCode}\\]`));
    });
});
