import assert from "node:assert/strict";
import { planSchema } from "../../../../../agents/checkpointer/plan";
import { planProblems } from "../../../../../agents/harness/plan";
import { bundleAgent } from "../../../../../bundling/agents";
import { checkpointer, checkpointerPlan } from "../../../../../cluster/manifests/control-plane/checkpointer";
import { fixedCluster, podSpecOf } from "../../../components/in-cluster/fixture";
import { golden } from "../../../golden";

const cluster = fixedCluster();
const manifests = checkpointer(cluster, "program");
const daemonSet = (program: string) => checkpointer(cluster, program).find(({ kind }) => kind === "DaemonSet")!;

describe("the checkpointer's objects", () => {
    it("are as reviewed", () => golden(__dirname, "checkpointer", manifests));

    it("have room for the agent", () => assert.ok(bundleAgent("checkpointer").length < 2 ** 20));

    it("roll its pods when its program changes", () => {
        assert.deepEqual(daemonSet("program"), daemonSet("program"));
        assert.notDeepEqual(podSpecOf(daemonSet("other")), podSpecOf(daemonSet("program")));
    });

    it("hold no secret, and give no right to read one", () => {
        assert.doesNotMatch(JSON.stringify(manifests), /BEGIN|"secrets"/);
    });

    it("make it trust the CAs that agents give to kubelets, once there is another CA", () => {
        assert.equal(checkpointerPlan(cluster).credentials.authorities, undefined);
        const plan = checkpointerPlan(fixedCluster({ keys: { kubernetesCa: [1, 2] } }));
        assert.equal(plan.credentials.authorities, "/var/lib/kubelet/pki/authorities.crt");
        assert.equal(plan.credentials.ca, checkpointerPlan(cluster).credentials.ca);
        assert.deepEqual(planProblems(plan, planSchema), []);
    });

    it("mount every path of its plan at that path", () => {
        const { containers } = podSpecOf(daemonSet("program")) as unknown as {
            containers: { volumeMounts: { mountPath: string }[] }[];
        };
        const mounted = containers[0]!.volumeMounts.map(({ mountPath }) => mountPath);
        const { directories, credentials, runtimeSocket } = checkpointerPlan(cluster);
        const client = [credentials.client, runtimeSocket, ...Object.values(directories), credentials.ca];
        for (const path of client) {
            assert.ok(
                mounted.some((mount) => path === mount || path.startsWith(`${mount}/`)),
                path,
            );
        }
    });
});
