import assert from "node:assert/strict";
import { images } from "../../../artifacts";
import { containerName, docker, ensureEngine, list } from "../../../machines";
import { describeInTurn, itTakesLong } from "../../takes-long";
import { eventually } from "../cluster";
import { SimulatedCluster } from "../simulated-cluster";
import { simulatedDigitalOcean } from "../simulated-digitalocean";

const cluster = new SimulatedCluster("dotest", simulatedDigitalOcean);

describeInTurn("digitalocean", "a cluster on a simulated DigitalOcean", function () {
    this.timeout(240_000);
    const controller = "dotest-controller-0";
    /** What is in the directory of etcd's data, if that is on the volume. */
    const etcdData = () => {
        const source = "findmnt --noheadings --output SOURCE --mountpoint /var/lib/etcd | tail -n 1";
        const device = `readlink /dev/disk/by-id/scsi-0DO_Volume_${controller}-etcd`;
        return cluster.exec(controller, `[ "$(${source})" = "$(${device})" ] && ls /var/lib/etcd/member-data`);
    };

    before(async () => {
        await ensureEngine();
        await cluster.prepare((vpcCidr) => {
            // This computer; nodes may besides.
            const apiAllowedCidrs = [vpcCidr.replace(/\d+\/\d+$/, "1/32")];
            return { region: "fra1", pools: [{ name: "default" }], ingress: { httpPort: 8000 }, apiAllowedCidrs };
        });
    });
    after(() => cluster.destroy());

    it("is previewed without making anything", async () => {
        const { stdout } = await cluster.pulumi("preview", "--non-interactive");
        assert.match(stdout, /digitalocean:index:Droplet +dotest-controller-0/);
        assert.deepEqual(cluster.account.left, []);
    });

    it("comes up from its user-data alone, to nodes and pods that are Ready through its load balancer", async () => {
        const { stdout } = await cluster.up();
        assert.match(stdout, /bootstrap: the first controller has what starts the cluster/);
        assert.match(stdout, /bootstrap: pivoted at /);
        await cluster.ready();
        const nodes = await cluster.kubectl("get", "nodes", "-o", "name");
        assert.deepEqual(nodes.trim().split("\n"), ["node/dotest-controller-0", "node/dotest-default-0"]);
    });

    it("lets the API reach kubelets, and a worker nothing of a controller but the API", async () => {
        const [pod] = (
            await cluster.kubectl("get", "pods", "-n", "kube-system", "-l", "k8s-app=kube-proxy", "-o", "name")
        )
            .trim()
            .split("\n");
        assert.match(await cluster.kubectl("logs", "-n", "kube-system", pod!), /kube-proxy|proxier|Proxier/i);
        const { address } = Object.values(cluster.account.resources.droplets).find(({ name }) =>
            /controller/.test(name),
        )!;
        const knock = (port: number) =>
            cluster.exec(
                "dotest-default-0",
                `timeout 2 bash -c '</dev/tcp/${address}/${port}' && echo open || echo shut`,
            );
        assert.equal((await knock(6443)).trim(), "open");
        assert.equal((await knock(2379)).trim(), "shut");
    });

    it("lets nobody else to its API", async () => {
        const { address } = cluster.account.balancer("dotest-api");
        const ask = `curl -ksS -m 3 https://${address}:6443/livez 2>&1 || true`;
        assert.equal(await cluster.exec("dotest-default-0", ask), "ok");
        const outside = containerName("dotest", "infra.service");
        assert.match(await docker(["exec", outside, "sh", "-c", ask]), /^curl: /);
    });

    it("takes ingress to its workers by a load balancer of its own", async () => {
        await cluster.serve("dotest-default-0", 8000);
        const { address } = cluster.account.balancer("dotest-ingress");
        const hello = () => fetch(`http://${address}/`).then((answer) => answer.text());
        assert.equal(await eventually("an answer of the ingress controller", hello), "hello");
    });

    it("keeps pods from what the cloud tells of their machine", async () => {
        // With its first pod a node gets the bridge by which pods leave.
        const containers = [{ name: "pause", image: images.pause }];
        const spec = { nodeName: "dotest-default-0", containers };
        await cluster.apply({ apiVersion: "v1", kind: "Pod", metadata: { name: "tenant" }, spec });
        await cluster.kubectl("wait", "--for=condition=Ready", "pod/tenant", "--timeout=60s");
        const way = (to: string) =>
            cluster.exec("dotest-default-0", `ip route get ${to} from 10.2.1.2 iif cni0 2>&1 || true`);
        assert.match(await way("169.254.169.254"), /Permission denied/);
        assert.match(await way("169.254.169.253"), /^169\.254\.169\.253 from 10\.2\.1\.2 via /);
    });

    it("leaves no key of the bootstrap on the first controller", async () => {
        const found = await cluster.exec(
            "dotest-controller-0",
            "ls /opt/tradewind/bootstrap-receiver/tls.key /opt/tradewind/bootstrap/secrets 2>&1 | grep -vc 'No such file' || true",
        );
        assert.equal(found.trim(), "0");
    });

    it("shows no change in a second up", async () => {
        const { stdout } = await cluster.up("--expect-no-changes");
        assert.match(stdout, /\d+ unchanged/);
    });

    it("has the data of its etcd on a volume", async () => assert.equal(await etcdData(), "member\n"));

    itTakesLong("takes up its etcd member on another droplet, with its volume", async () => {
        await cluster.kubectl("create", "configmap", "kept");
        const uid = () => cluster.kubectl("get", "configmap", "kept", "-o", "jsonpath={.metadata.uid}");
        const before = await uid();

        const urn = await cluster.urn("digitalocean:index/droplet:Droplet", controller);
        const { stdout } = await cluster.up("--replace", urn);
        assert.match(stdout, /bootstrap: the first controller has what starts the cluster/);
        await cluster.ready();
        assert.deepEqual([await etcdData(), await uid()], ["member\n", before]);
    });

    it("is destroyed without leaving anything in the account", async () => {
        await cluster.destroy();
        assert.deepEqual(cluster.account.left, []);
        assert.deepEqual(await list("dotest"), []);
    });
});
