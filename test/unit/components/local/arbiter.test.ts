import assert from "node:assert/strict";
import { LocalCluster } from "../../../../components/local/cluster";
import { deploy } from "../../deploy";
import { downloads } from "../in-cluster/fixture";
import { objectsOf, textsOf } from "../in-cluster/owned-in-cluster";
import { providerOutputs } from "../in-cluster/provider-outputs";

const args = {
    machineCidr: "192.0.2.0/24",
    downloads,
    controllers: { count: 2, arbiter: true },
    workerPools: [{ name: "default" }],
    certificates: { generation: 2 },
};

describe("a local cluster with an arbiter", function () {
    this.timeout(60_000);

    const created = () => deploy(() => new LocalCluster("c", args), { outputs: providerOutputs });

    it("has a third machine that the API's load balancer and certificate do not know", async () => {
        const { resources } = await created();
        const named = (name: string) => resources.find((each) => each.name === name)!;
        assert.match(named("c-load-balancer").inputs.create, /--backends 192\.0\.2\.11,192\.0\.2\.12$/);
        assert.match(named("c-arbiter-0").inputs.create, /--address 192\.0\.2\.10 /);
        assert.match(named("c-default-0").inputs.create, /--address 192\.0\.2\.32 /);
        const addressesOf = (certificate: string) =>
            resources.find(({ name, type }) => name === certificate && type.endsWith("CertRequest"))!.inputs
                .ipAddresses;
        assert.equal(addressesOf("c-kube-apiserver-2").includes("192.0.2.10"), false);
        assert.ok(addressesOf("c-etcd-c-arbiter-0-2").includes("192.0.2.10"));
    });

    it("admits it to etcd after the controllers, and gives it a role of its own", async () => {
        const objects = objectsOf((await created()).resources);
        const named = (name: string) => objects.find((each) => each.name === `c/${name}`)!;
        const { "plan.json": plan, ...files } = textsOf(named("secret/kube-system/etcd-member-c-arbiter-0"));
        assert.deepEqual(Object.keys(files).sort(), ["ca.crt", "member.crt", "member.key"]);
        assert.deepEqual(JSON.parse(plan!).endpoints, ["https://192.0.2.11:2379", "https://192.0.2.12:2379"]);
        const join = named("deployment/kube-system/etcd-join-c-arbiter-0");
        assert.ok(join.dependsOn.includes("c/node/c-controller-1"));
        assert.ok(join.dependsOn.includes("c-arbiter-0"));
        const { labels } = named("node/c-arbiter-0").inputs.metadata;
        assert.ok("node-role.kubernetes.io/arbiter" in labels);
        assert.equal("node-role.kubernetes.io/control-plane" in labels, false);
        const admitted = named("configmap/kube-system/admitted-controllers");
        assert.deepEqual(JSON.parse(admitted.inputs.data["controllers.json"]), ["c-controller-0", "c-controller-1"]);
    });

    it("counts its member when nodes are removed, and gives it new certificates last", async () => {
        const objects = objectsOf((await created()).resources);
        const named = (name: string) => objects.find((each) => each.name === `c/${name}`)!;
        const removal = JSON.parse(named("configmap/kube-system/node-removal").inputs.data["plan.json"]);
        assert.ok(removal.etcd.peerUrls.includes("https://192.0.2.10:2380"));
        assert.ok(removal.desired.includes("c-arbiter-0"));
        const renewal = named("job/kube-system/etcd-certificates-c-arbiter-0-2");
        assert.ok(renewal.dependsOn.includes("c/job/kube-system/etcd-certificates-c-controller-1-2"));
        const plan = JSON.parse(named("configmap/kube-system/etcd-certificates-c-arbiter-0").inputs.data["plan.json"]);
        assert.equal(plan.api.server, "https://api.c.tradewind.internal:6443");
    });
});
