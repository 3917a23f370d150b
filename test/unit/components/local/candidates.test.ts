import assert from "node:assert/strict";
import { LocalCluster } from "../../../../components/local/cluster";
import { deploy } from "../../deploy";
import { downloads } from "../in-cluster/fixture";
import { objectsOf, textsOf } from "../in-cluster/owned-in-cluster";
import { providerOutputs } from "../in-cluster/provider-outputs";

const args = {
    machineCidr: "192.0.2.0/24",
    downloads,
    controllers: { count: 3, candidates: ["default"], replaceAfter: "30s" },
    workerPools: [{ name: "default", count: 2 }, { name: "other" }],
};

describe("a local cluster with candidates", function () {
    this.timeout(60_000);

    it("prepares everything that a candidate needs to become a controller", async () => {
        const { resources } = await deploy(() => new LocalCluster("c", args), { outputs: providerOutputs });
        const balancer = resources.find(({ name }) => name === "c-load-balancer")!;
        assert.match(
            balancer.inputs.create,
            /--backends 192\.0\.2\.11,192\.0\.2\.12,192\.0\.2\.13,192\.0\.2\.32,192\.0\.2\.33$/,
        );
        const objects = objectsOf(resources);
        const named = (name: string) => objects.find((each) => each.name === `c/${name}`)!;
        for (const node of ["c-default-0", "c-default-1"]) {
            assert.ok(named(`daemonset/kube-system/etcd-join-${node}`), node);
            const { "plan.json": plan, "member.key": key } = textsOf(named(`secret/kube-system/etcd-member-${node}`));
            assert.equal(JSON.parse(plan!).endpoints.length, 4);
            assert.equal(key, `c-etcd-${node} key`);
        }
        assert.equal(named("daemonset/kube-system/etcd-join-c-other-0"), undefined);
        const plan = JSON.parse(named("configmap/kube-system/node-promoter").inputs.data["plan.json"]);
        assert.equal(plan.replaceAfter, 30);
        assert.equal(Object.keys(plan.peerUrls).length, 5);
    });

    it("leaves the roles of controllers, and the record of them, to the cluster", async () => {
        const { resources } = await deploy(() => new LocalCluster("c", args), { outputs: providerOutputs });
        const objects = objectsOf(resources);
        const ignored = (name: string) => objects.find((each) => each.name === `c/${name}`)!.opts.ignoreChanges;
        assert.deepEqual(ignored("node/c-controller-0"), ["metadata.labels"]);
        const record = objects.find(({ name }) => name === "c/configmap/kube-system/controllers")!;
        assert.deepEqual(record.opts.ignoreChanges, ["data"]);
        assert.equal("data" in record.inputs, false);
        const removal = objects.find(({ name }) => name === "c/job/kube-system/node-removal")!;
        assert.ok(removal.dependsOn.length > 0);
    });
});
