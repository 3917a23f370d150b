import assert from "node:assert/strict";
import { cloudController } from "../../../../../cluster/manifests/addons/cloud-controller";
import type { Container } from "../../../../../cluster/manifests/pod";
import { fixedCluster, podSpecOf } from "../../../components/in-cluster/fixture";

const own = { image: "registry.example/c:v1", program: "/bin/c", flags: { "cloud-provider": "c" } };
const manifests = cloudController(fixedCluster({ cloudProvider: "aws" }), own);
const ofKind = (kind: string) => manifests.filter((each) => each.kind === kind);

describe("a cloud's controller", () => {
    it("runs the loops of nodes and load balancers, and none of routes: the pod network needs none", () => {
        const [container] = podSpecOf(ofKind("Deployment")[0]!)!.containers as Container[];
        const command = container!.command as string[];
        assert.ok(
            command.includes(
                "--controllers=cloud-node-controller,cloud-node-lifecycle-controller,service-lb-controller",
            ),
        );
        for (const flag of ["--configure-cloud-routes=false", "--leader-elect=true", "--cloud-provider=c"]) {
            assert.ok(command.includes(flag), flag);
        }
    });

    it("uses the API of its own node, and listens only on it", () => {
        const [container] = podSpecOf(ofKind("Deployment")[0]!)!.containers as Container[];
        assert.match(JSON.stringify(container!.env), /"KUBERNETES_SERVICE_HOST","value":"127\.0\.0\.1"/);
        assert.ok((container!.command as string[]).includes("--bind-address=127.0.0.1"));
    });

    it("may change nodes and Services, and reads no Secret", () => {
        const [role] = ofKind("ClusterRole") as unknown as { rules: { resources: string[]; verbs: string[] }[] }[];
        assert.deepEqual(
            role!.rules.map(({ resources, verbs }) => `${verbs} ${resources}`),
            [
                "create,patch,update events",
                "get,list,watch,patch,update,delete nodes",
                "patch nodes/status",
                "get,list,watch,patch,update services",
                "patch,update services/status",
                "create leases",
                "get,update leases",
            ],
        );
        assert.doesNotMatch(JSON.stringify(manifests), /"\*"/);
        assert.deepEqual(
            [...ofKind("ClusterRoleBinding"), ...ofKind("RoleBinding")].map(
                ({ roleRef }) => (roleRef as { name: string }).name,
            ),
            [
                "tradewind:cloud-controller-manager",
                "system:auth-delegator",
                "extension-apiserver-authentication-reader",
            ],
        );
    });
});
