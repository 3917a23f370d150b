import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { builtAwsCloudController } from "../../../artifacts/test-recipes";
import { list } from "../../../machines";
import { callsPath } from "../../../simulator/clouds/aws/services/query/protocol";
import { images } from "../../../versions/images";
import { deniedTo } from "../../account-calls";
import { describeLong } from "../../takes-long";
import { eventually } from "../cluster";
import { simulatedAws } from "../simulated-aws";
import { SimulatedCluster } from "../simulated-cluster";
import { withTestImages } from "../test-images";

const cluster = new SimulatedCluster("awsccm", simulatedAws);

interface Node {
    readonly metadata: { readonly name: string; readonly labels: Record<string, string> };
    readonly spec: { readonly providerID?: string; readonly taints?: { readonly key: string }[] };
    readonly status: { readonly addresses: { readonly type: string; readonly address: string }[] };
}

// Has its own image, of a Go program that takes seven minutes to build the first time.
describeLong("AWS' cloud controller in a cluster on a simulated AWS", function () {
    this.timeout(300_000);
    const { account } = cluster;
    const instances = () => Object.entries(account.resources.instances);
    const worker = () => instances().find(([, { createdBy }]) => createdBy === "awsccm-default")!;

    withTestImages();
    before(async () => {
        // From an account that existed before.
        rmSync(callsPath(account.path), { force: true });
        await cluster.prepare(() => ({
            zones: ["a"],
            workerPools: [{ name: "default" }],
            cloudController: true,
            cloudImages: { awsCloudController: builtAwsCloudController },
        }));
    });
    after(() => cluster.destroy());

    it("starts from user-data alone, and initializes the nodes", async () => {
        await cluster.up();
        await cluster.ready([worker()[1].machine]);
        await eventually("initialized nodes", async () => {
            const { items } = await cluster.get<{ items: Node[] }>("nodes");
            assert.equal(items.length, 2);
            const taints = items.flatMap(({ spec }) => spec.taints ?? []);
            assert.ok(!taints.some(({ key }) => key === "node.cloudprovider.kubernetes.io/uninitialized"));
        });
    });

    it("sets the nodes' instance ids, zones, types and addresses", async () => {
        const { items } = await cluster.get<{ items: Node[] }>("nodes");
        for (const { metadata, spec, status } of items) {
            const [id, { address }] = instances().find(([, { machine }]) => machine === metadata.name)!;
            assert.equal(spec.providerID, `aws:///eu-central-1a/${id}`);
            const { labels } = metadata;
            assert.deepEqual(
                ["zone", "region"].map((each) => labels[`topology.kubernetes.io/${each}`]),
                ["eu-central-1a", "eu-central-1"],
            );
            assert.equal(labels["node.kubernetes.io/instance-type"], "t3.medium");
            const reported = (type: string) => status.addresses.filter((each) => each.type === type);
            assert.deepEqual(reported("InternalIP"), [{ type: "InternalIP", address }]);
            assert.equal(reported("InternalDNS")[0]?.address, `${id}.eu-central-1.compute.internal`);
        }
    });

    const balancers = () => account.all("classicLoadBalancers");

    it("creates a load balancer for a Service that leads to its pods, and only for allowed clients", async () => {
        const labels = { app: "hello" };
        const program = `require("http").createServer((_, answer) => answer.end("hello")).listen(8080)`;
        const containers = [{ name: "hello", image: images.node, command: ["node", "-e", program] }];
        const spec = { terminationGracePeriodSeconds: 0, containers };
        await cluster.apply({ apiVersion: "v1", kind: "Pod", metadata: { name: "hello", labels }, spec });
        const ports = [{ port: 80, targetPort: 8080 }];
        const service = { type: "LoadBalancer", selector: labels, ports };
        await cluster.apply({ apiVersion: "v1", kind: "Service", metadata: { name: "hello" }, spec: service });
        const hostname = await eventually(
            "a load balancer",
            async () => {
                assert.deepEqual(deniedTo(account), []);
                const reported = await cluster.get<{ status: { loadBalancer: { ingress?: { hostname: string }[] } } }>(
                    "service",
                    "hello",
                );
                const [first] = reported.status.loadBalancer.ingress ?? [];
                assert.ok(first, "no ingress");
                return first.hostname;
            },
            90,
        );
        const [balancer] = balancers();
        assert.equal(balancer!.dnsName, hostname);
        assert.equal(
            balancer!.createdBy,
            account.all("rolePolicies").find(({ name }) => /cloud-controller/.test(name))?.role,
        );
        const hello = () => cluster.served(balancer!.address);
        assert.equal(await eventually("an answer through the load balancer", hello), "hello");
        // By its name, like other clients in the VPC; nothing else can reach the node's port.
        const node = worker()[1];
        const controller = "awsccm-controller-0";
        const inside = `curl -sS -m 5 http://${hostname}/`;
        assert.equal(await cluster.exec(controller, inside), "hello");
        const nodePort = balancer!.ports[0]!.instancePort;
        const around = `curl -sS -m 2 http://${node.address}:${nodePort}/ 2>&1 || true`;
        assert.match(await cluster.exec(controller, around), /timed out/);
    });

    it("has the permissions it used, and lacked none", () => assert.deepEqual(deniedTo(account), []));

    it("shows no change in a second up", async () => {
        const { stdout } = await cluster.up("--expect-no-changes");
        assert.match(stdout, /\d+ unchanged/);
    });

    it("is destroyed with the Service still there, and leaves nothing in the account", async () => {
        assert.equal(balancers().length, 1);
        await cluster.destroy();
        assert.deepEqual(deniedTo(account), []);
        assert.deepEqual(account.left, []);
        assert.deepEqual(await list("awsccm"), []);
    });
});
