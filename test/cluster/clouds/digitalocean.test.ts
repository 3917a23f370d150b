import assert from "node:assert/strict";
import { paths } from "../../../cluster/paths";
import { containerName, docker, ensureEngine, list } from "../../../machines";
import { itLong } from "../../takes-long";
import { tellIdentityOf } from "../cloud-identity-script";
import { eventually } from "../cluster";
import { knock, knocksFromOutside } from "../knock";
import { ask, makeAsker } from "../pod-asks";
import { SimulatedCluster } from "../simulated-cluster";
import { simulatedDigitalOcean } from "../simulated-digitalocean";

const cluster = new SimulatedCluster("dotest", simulatedDigitalOcean);

describe("a cluster on a simulated DigitalOcean", function () {
    this.timeout(420_000);
    const controller = "dotest-controller-0";
    /** What is in the directory of etcd's data, if that is on the volume. */
    const etcdData = () => {
        const source = "findmnt --noheadings --output SOURCE --mountpoint /var/lib/etcd | tail -n 1";
        const device = `readlink /dev/disk/by-id/scsi-0DO_Volume_${controller}-etcd`;
        return cluster.exec(controller, `[ "$(${source})" = "$(${device})" ] && ls /var/lib/etcd/member-data`);
    };

    const set = (path: string, value: string) =>
        cluster.pulumi("config", "set", "--path", `tradewind:${path}`, value, "--plaintext");
    const nodes = async () => (await cluster.kubectl("get", "nodes", "-o", "name")).trim().split("\n");

    before(async () => {
        await ensureEngine();
        await cluster.prepare((vpcCidr) => {
            // This computer; nodes may besides.
            const apiAllowedCidrs = [vpcCidr.replace(/\d+\/\d+$/, "1/32")];
            const pools = [{ name: "default", count: 2 }];
            const snapshotSpace = { name: "dotest-snapshots" };
            return { region: "fra1", pools, ingress: { httpPort: 8000 }, apiAllowedCidrs, snapshotSpace };
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
        const names = [controller, "dotest-default-0", "dotest-default-1"];
        assert.deepEqual(
            await nodes(),
            names.map((each) => `node/${each}`),
        );
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
        const ask = async (port: number) => (await cluster.exec("dotest-default-0", knock(address, port))).trim();
        assert.deepEqual(await Promise.all([6443, 10250, 2379].map(ask)), ["open", "open", "dropped"]);
    });

    it("lets nobody outside to SSH, kubelets and etcd, by whatever address of a droplet", async () => {
        const droplets = Object.values(cluster.account.resources.droplets);
        const knocks = await knocksFromOutside(
            "dotest",
            droplets.flatMap(({ address, publicAddress }) => [address, publicAddress!]),
        );
        assert.equal(Object.keys(knocks).length, 18);
        assert.deepEqual(
            Object.entries(knocks).filter(([, said]) => said !== "dropped"),
            [],
        );
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
        const hello = () => cluster.served(address);
        assert.equal(await eventually("an answer of the ingress controller", hello), "hello");
    });

    it("keeps pods from what the cloud tells of their machine, by a rule of the node alone", async () => {
        const [url, node] = ["http://169.254.169.254/metadata/v1/id", "dotest-default-0"];
        await makeAsker(cluster, node);
        assert.equal(await ask(cluster, url), "EHOSTUNREACH");
        await cluster.exec(node, "ip rule del priority 100");
        assert.equal(await ask(cluster, url), "200");
        await cluster.exec(node, `${paths.bin}/node-routes`);
        assert.equal(await ask(cluster, url), "EHOSTUNREACH");
    });

    it("tells a node which droplet it is", async () => {
        const [id] = Object.entries(cluster.account.resources.droplets).find(([, { name }]) => name === controller)!;
        assert.equal(await cluster.exec(controller, tellIdentityOf("digitalocean")), `digitalocean://${id}`);
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

    it("has a snapshot of etcd in its Space, by the key that the stack made for that alone", async () => {
        const isThere = async () =>
            assert.deepEqual(
                Object.values(cluster.account.resources.spacesObjects).map(({ key }) => key.replace(/-\d.*(?=\.)/, "")),
                ["dotest/dotest.db", "dotest/dotest.json"],
            );
        await eventually("a snapshot in the Space", isThere, 60);
    });

    it("gets another flag of its only apiserver, and a smaller pool, by an up", async () => {
        await set("components.kubeApiserver.v", "1");
        await set("pools[0].count", "1");
        assert.match((await cluster.up()).stdout, /kube-apiserver updated/);
        await cluster.ready();
        assert.deepEqual(await nodes(), [`node/${controller}`, "node/dotest-default-0"]);
        assert.deepEqual(
            Object.values(cluster.account.resources.droplets)
                .map(({ name }) => name)
                .sort(),
            [controller, "dotest-default-0"],
        );
    });

    it("has the data of its etcd on a volume", async () => assert.equal(await etcdData(), "member\n"));

    itLong("is made anew with today's configuration where that is wanted, and takes up its etcd member", async () => {
        await cluster.kubectl("create", "configmap", "kept");
        const uid = () => cluster.kubectl("get", "configmap", "kept", "-o", "jsonpath={.metadata.uid}");
        const before = await uid();
        const motd = { path: "/etc/motd", overwrite: true, contents: { source: "data:,today" } };
        await set(
            "controllers.snippets[0]",
            JSON.stringify({ ignition: { version: "3.5.0" }, storage: { files: [motd] } }),
        );
        await cluster.up();
        assert.notEqual((await cluster.exec(controller, "cat /etc/motd")).trim(), "today");

        await set("madeAnew[0]", controller);
        const { stdout } = await cluster.up();
        assert.match(stdout, /bootstrap: the first controller has what starts the cluster/);
        await cluster.ready();
        assert.deepEqual([await etcdData(), await uid()], ["member\n", before]);
        assert.equal((await cluster.exec(controller, "cat /etc/motd")).trim(), "today");
        await cluster.up("--expect-no-changes");
        await cluster.pulumi("config", "rm", "tradewind:madeAnew");
        await cluster.up("--expect-no-changes");
    });

    it("is destroyed without leaving anything in the account", async () => {
        await cluster.destroy();
        assert.deepEqual(cluster.account.left, []);
        assert.deepEqual(await list("dotest"), []);
    });
});
