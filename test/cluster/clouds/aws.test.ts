import assert from "node:assert/strict";
import { parse } from "yaml";
import { signerName } from "../../../agents/nodes/approver/identify";
import { ApiClient } from "../../../clients/kubernetes/api-client";
import { paths } from "../../../cluster/paths";
import { ensureEngine, list } from "../../../machines";
import { itLong } from "../../takes-long";
import { csr } from "../../unit/agents/nodes/approver/csr";
import { tellIdentityOf } from "../cloud-identity-script";
import { eventually } from "../cluster";
import { passesConformance } from "../conformance/run-suite";
import { ask, makeAsker } from "../pod-asks";
import { simulatedAws } from "../simulated-aws";
import { SimulatedCluster, saysClient } from "../simulated-cluster";
import { probeTls, tlsProbesFromOutside } from "../tls-probe";

const cluster = new SimulatedCluster("awstest", simulatedAws);

describe("a cluster on a simulated AWS", function () {
    this.timeout(420_000);
    const instances = () => cluster.account.all("instances");
    const controller = "awstest-controller-0";
    /** The volume with the controller's etcd data, as seen by the instance and the account. */
    const etcdVolume = async () => {
        const { volume } = cluster.account.all("volumeAttachments")[0]!;
        const link = `/dev/disk/by-id/nvme-Amazon_Elastic_Block_Store_${volume.replace("-", "")}`;
        const observe = `findmnt --noheadings --output SOURCE --mountpoint /var/lib/etcd | tail -n 1; readlink ${link}`;
        const [source, device] = (await cluster.exec(controller, `${observe}; ls /var/lib/etcd/member-data`)).split(
            "\n",
        );
        assert.equal(source, device);
        return volume;
    };
    const workersOf = (pool: string) => instances().filter(({ createdBy }) => createdBy === `awstest-${pool}`);
    const worker = () => workersOf("default")[0]!;
    const set = (path: string, value: string) =>
        cluster.pulumi("config", "set", "--path", `tradewind:${path}`, value, "--plaintext");

    before(async () => {
        await ensureEngine();
        const workerPools = [{ name: "default", count: 2 }];
        const snapshotBucket = { name: "awstest-snapshots" };
        await cluster.prepare(() => ({ zones: ["a", "b"], workerPools, ingress: { httpPort: 8000 }, snapshotBucket }));
        await cluster.fetchCredentialProvider();
    });
    after(() => cluster.destroy());

    it("is previewed without creating anything", async () => {
        const { stdout } = await cluster.pulumi("preview", "--non-interactive");
        assert.match(stdout, /aws:ec2:Instance +awstest-controller-0/);
        assert.deepEqual(cluster.account.left, []);
    });

    it("starts from user-data alone, with Ready nodes and pods reachable through its load balancer", async () => {
        const { stdout } = await cluster.up();
        assert.match(stdout, /bootstrap: the first controller has the assets that start the cluster/);
        assert.match(stdout, /bootstrap: pivoted at /);
        // Nodes of an Auto Scaling group are named by their instances' ids.
        const workers = workersOf("default").map(({ machine }) => machine);
        assert.equal(workers.length, 2);
        await cluster.ready(workers);
        const nodes = (await cluster.kubectl("get", "nodes", "-o", "name")).trim().split("\n");
        assert.deepEqual(nodes.sort(), [controller, ...workers].map((each) => `node/${each}`).sort());
    });

    it("pulls images from a private registry in ECR with the instances' role", async () => {
        const image = "123456789012.dkr.ecr.eu-central-1.amazonaws.com/shop:1.4";
        const spec = { nodeName: worker().machine, containers: [{ name: "shop", image }] };
        await cluster.apply({ apiVersion: "v1", kind: "Pod", metadata: { name: "shop" }, spec });
        const pulled = new RegExp(`Successfully pulled image "${image}"`);
        const events = () => cluster.kubectl("get", "events", "--field-selector", "involvedObject.name=shop");
        await eventually("pulled image", async () => assert.match(await events(), pulled));
        await cluster.kubectl("delete", "pod", "shop", "--wait=false");
    });

    it("allows the API to reach kubelets, and workers nothing on a controller but the API", async () => {
        const pods = await cluster.kubectl(
            "get",
            "pods",
            "-n",
            "kube-system",
            "-l",
            "k8s-app=kube-proxy",
            "-o",
            "name",
        );
        for (const pod of pods.trim().split("\n")) await cluster.kubectl("logs", "-n", "kube-system", pod, "--tail=1");
        const { address } = instances().find(({ name }) => name === "awstest-controller-0")!;
        const ask = async (port: number) => (await cluster.exec(worker().machine, probeTls(address, port))).trim();
        assert.deepEqual(await Promise.all([6443, 10250, 2379, 22].map(ask)), ["open", "open", "dropped", "dropped"]);
    });

    it("blocks SSH, kubelets and etcd from outside", async () => {
        const tlsProbes = await tlsProbesFromOutside(
            "awstest",
            instances().map(({ address }) => address),
        );
        assert.equal(Object.keys(tlsProbes).length, 9);
        assert.deepEqual(
            Object.entries(tlsProbes).filter(([, said]) => said !== "dropped"),
            [],
        );
    });

    it("admits machines of a pool's group at any time, and no other holder of its token", async () => {
        const read = await cluster.exec(worker().machine, "cat /etc/kubernetes/bootstrap-kubeconfig");
        const { clusters, users } = parse(read);
        const { address } = cluster.account.all("loadBalancers")[0]!;
        const ca = Buffer.from(clusters[0].cluster["certificate-authority-data"], "base64").toString();
        const servername = new URL(clusters[0].cluster.server).hostname;
        const api = new ApiClient(`https://${address}:6443`, () => ({ ca, servername, token: users[0].user.token }));
        for (const name of ["awstest-controller-1", worker().machine, "i-0123456789abcdef0"]) {
            const path = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
            const text = Buffer.from(csr(`system:node:${name}`)).toString("base64");
            const spec = { request: text, signerName, usages: ["digital signature", "client auth"] };
            const asked = { apiVersion: "certificates.k8s.io/v1", kind: "CertificateSigningRequest", spec };
            await api.call(path, { method: "POST", body: { ...asked, metadata: { name: `of-${name}` } } });
        }
        api.reconnect();
        const statusOf = async (name: string) =>
            (await cluster.get("csr", `of-${name}`)).status as { certificate?: string };
        const whyNot = async (name: string) => {
            const log = await cluster.kubectl("-n", "kube-system", "logs", "daemonset/node-approver");
            return new RegExp(`not approving of-${name}: (.*)`).exec(log)?.[1];
        };
        for (const [name, why] of [
            ["awstest-controller-1", /is not a valid node name in pool/],
            [worker().machine, /^node .* exists$/],
            ["i-0123456789abcdef0", /^EC2 has no instance i-0123456789abcdef0$/],
        ] as const) {
            await eventually(`word of ${name}`, async () => assert.match((await whyNot(name)) ?? "", why));
            assert.deepEqual(await statusOf(name), {});
        }
    });

    it("routes ingress to its workers, and drops unrequested traffic", async () => {
        await cluster.serve(worker().machine, 8000);
        const { address } = cluster.account.all("loadBalancers")[0]!;
        const hello = () => cluster.served(address);
        assert.equal(await eventually("an answer of the ingress controller", hello), "hello");
        const another = await cluster.exec(
            "awstest-controller-0",
            `curl -sS -m 2 http://${worker().address}:8000 2>&1 || true`,
        );
        assert.match(another, /timed out/);
    });

    it("blocks pods from the machine's metadata service, with a rule on the node and with the hop limit", async () => {
        const headers = { "x-aws-ec2-metadata-token-ttl-seconds": "60" };
        const url = "http://169.254.169.254/latest/api/token";
        const { machine } = worker();
        await makeAsker(cluster, machine);
        const askFromPod = () => ask(cluster, url, { method: "PUT", headers });
        assert.equal(await askFromPod(), "EHOSTUNREACH");
        await cluster.exec(machine, "ip rule del priority 100");
        assert.equal(await askFromPod(), "TimeoutError");
        await cluster.exec(machine, `${paths.bin}/node-routes`);
        assert.equal(await askFromPod(), "EHOSTUNREACH");
        const ofNode = `curl -sS -m 2 -o /dev/null -w '%{http_code}' -X PUT -H '${Object.entries(headers)[0]!.join(": ")}'`;
        assert.equal(await cluster.exec(machine, `${ofNode} ${url}`), "200");
    });

    it("reports to each node which instance it is", async () => {
        const [name] = Object.entries(cluster.account.resources.instances).find(
            ([, { machine }]) => machine === controller,
        )!;
        assert.equal(await cluster.exec(controller, tellIdentityOf("aws")), `aws:///eu-central-1a/${name}`);
    });

    it("has its etcd data on a volume", async () => assert.match(await etcdVolume(), /^vol-/));

    it("shows no change in a second up", async () => {
        const { stdout } = await cluster.up("--expect-no-changes");
        assert.match(stdout, /\d+ unchanged/);
    });

    passesConformance(cluster);

    it("has an etcd snapshot in its bucket, using only the role of its controllers", async () => {
        const inBucket = () =>
            cluster.account.all("objects").flatMap(({ bucket, key }) => (bucket === "awstest-snapshots" ? [key] : []));
        const isThere = async () =>
            assert.deepEqual(
                inBucket().map((key) => key.replace(/-\d[\dTZ.]*(?=\.)/, "")),
                ["awstest/awstest.db.enc", "awstest/awstest.json"],
            );
        await eventually("a snapshot in the bucket", isThere, 60);
    });

    it("changes a flag of its only apiserver, adds a pool, and removes an instance in one up", async () => {
        const before = workersOf("default").map(({ machine }) => machine);
        await set("components.kubeApiserver.v", "1");
        await set("ingress.proxyProtocol", "true");
        await set("workerPools[0].count", "1");
        await set("workerPools[1].name", "batch");
        await set("workerPools[1].labels.tier", "batch");
        assert.match((await cluster.up()).stdout, /kube-apiserver updated/);
        const [added] = workersOf("batch");
        await cluster.ready([added!.machine]);
        const labelled = await cluster.kubectl("get", "nodes", "-l", "tier=batch", "-o", "name");
        assert.equal(labelled.trim(), `node/${added!.machine}`);
        await eventually(
            "the group to terminate a drained instance",
            async () => {
                const [staying] = workersOf("default");
                const [removed] = before.filter((each) => each !== staying!.machine);
                assert.equal(cluster.account.resources.terminatedInstances[removed!]?.wasReleased, true);
            },
            60,
        );
    });

    it("tells the ingress controller who connects, in a header that it now gets with each connection", async () => {
        await cluster.kubectl("delete", "pod", "hello", "--ignore-not-found", "--grace-period=0", "--force");
        await cluster.serve(worker().machine, 8000, saysClient);
        const { address } = cluster.account.all("loadBalancers")[0]!;
        const client = async () => {
            const answer = await cluster.served(address);
            assert.match(answer, /^\d+(\.\d+){3}$/);
            return answer;
        };
        const outside = await eventually("an answer of the ingress controller", client);
        const inside = await cluster.exec(worker().machine, `curl -fsS -m 5 http://${address}/`);
        const itself = instances().map((each) => each.address);
        console.log(`        clients: ${outside}, ${inside}`);
        assert.notEqual(outside, inside);
        assert.ok(![...itself, address].includes(outside), outside);
        assert.notEqual(inside, address);
    });

    itLong("restarts its etcd member on another instance, with its volume", async () => {
        const address = () => instances().find(({ name }) => name === controller)!.address;
        await cluster.kubectl("create", "configmap", "kept");
        const uid = () => cluster.kubectl("get", "configmap", "kept", "-o", "jsonpath={.metadata.uid}");
        const before = { address: address(), uid: await uid(), volume: await etcdVolume() };

        const { stdout } = await cluster.up("--replace", await cluster.urn("aws:ec2/instance:Instance", controller));
        assert.match(stdout, /bootstrap: the first controller has the assets that start the cluster/);
        await cluster.ready([worker().machine]);
        assert.notEqual(address(), before.address);
        assert.deepEqual([await etcdVolume(), await uid()], [before.volume, before.uid]);
    });

    it("is destroyed, leaving nothing but its snapshots in the account", async () => {
        const { stdout } = await cluster.destroy();
        assert.match(stdout, /Bucket awstest-snapshots deleted .*\[retain\]/);
        const { left } = cluster.account;
        assert.ok(left.includes("buckets awstest-snapshots"));
        assert.deepEqual(
            left.filter((each) => !each.includes(" awstest-snapshots")),
            [],
        );
        assert.deepEqual(await list("awstest"), []);
    });
});
