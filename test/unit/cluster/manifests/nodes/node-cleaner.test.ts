import assert from "node:assert/strict";
import { planProblems } from "../../../../../agents/harness/plan";
import { planSchema } from "../../../../../agents/nodes/cleaner/plan";
import { nodeCleaner, nodeCleanerPlan } from "../../../../../cluster/manifests/nodes/node-cleaner";
import type { Container } from "../../../../../cluster/manifests/pod";
import { fixedCluster, podSpecOf } from "../../../components/in-cluster/fixture";

const groups = { namePattern: "^i-[0-9a-f]{17}$", region: "eu-central-1" };
const manifests = nodeCleaner(fixedCluster(), groups, "text");
const ofKind = (kind: string) => manifests.filter((each) => each.kind === kind);

describe("node-cleaner", () => {
    it("gets the groups whose nodes it may delete, and the region's EC2 endpoint", () => {
        const plan = nodeCleanerPlan(groups);
        assert.deepEqual(planProblems(plan, planSchema), []);
        assert.deepEqual(plan, {
            apiServer: "https://127.0.0.1:6443",
            ec2: "https://ec2.eu-central-1.amazonaws.com",
            region: "eu-central-1",
            namePattern: "^i-[0-9a-f]{17}$",
            controllerLabel: "node-role.kubernetes.io/control-plane",
        });
        const inChina = nodeCleanerPlan({ ...groups, region: "cn-north-1" });
        assert.equal(inChina.ec2, "https://ec2.cn-north-1.amazonaws.com.cn");
    });

    it("may list, watch and delete Nodes, write events on them, and nothing else", () => {
        const roles = [...ofKind("ClusterRole"), ...ofKind("Role")] as unknown as {
            rules: { resources: string[]; verbs: string[] }[];
        }[];
        assert.deepEqual(
            roles.flatMap(({ rules }) => rules.map(({ resources, verbs }) => `${verbs} ${resources}`)),
            ["list,watch,delete nodes", "create events"],
        );
    });

    it("runs once, on a controller, as nobody, on the host network, where the metadata service is reachable", () => {
        const [deployment] = ofKind("Deployment");
        const { replicas, strategy } = deployment!.spec as { replicas: number; strategy: { type: string } };
        assert.deepEqual([replicas, strategy.type], [1, "Recreate"]);
        const { nodeSelector, securityContext, hostNetwork } = podSpecOf(deployment!)!;
        assert.deepEqual(nodeSelector, { "node-role.kubernetes.io/control-plane": "" });
        assert.equal((securityContext as { runAsNonRoot: boolean }).runAsNonRoot, true);
        assert.equal(hostNetwork, true);
    });

    it("trusts whom its node trusts, and may not change that", () => {
        const spec = podSpecOf(ofKind("Deployment")[0]!)!;
        const [{ env, volumeMounts }] = spec.containers as [Container];
        const [{ name, value }] = env as unknown as [{ name: string; value: string }];
        assert.deepEqual([name, value], ["NODE_EXTRA_CA_CERTS", "/etc/ssl/certs/ca-certificates.crt"]);
        const mounts = volumeMounts as unknown as { mountPath: string; readOnly?: boolean }[];
        assert.ok(mounts.find(({ mountPath }) => mountPath === "/etc/ssl/certs")?.readOnly);
    });
});
