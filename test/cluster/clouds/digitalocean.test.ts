import assert from "node:assert/strict";
import { clientOf, connectionOf } from "../../../clients/kubernetes/kubeconfig";
import { paths } from "../../../cluster/paths";
import { containerName, docker, ensureEngine, list } from "../../../machines";
import { describeLong } from "../../takes-long";
import { tellIdentityOf } from "../cloud-identity-script";
import { eventually } from "../cluster";
import { passesConformance } from "../conformance/run-suite";
import { ask, makeAsker } from "../pod-asks";
import { SimulatedCluster } from "../simulated-cluster";
import { simulatedDigitalOcean } from "../simulated-digitalocean";
import { probeTls, tlsProbesFromOutside } from "../tls-probe";

const cluster = new SimulatedCluster("dotest", simulatedDigitalOcean);

describeLong("a cluster on a simulated DigitalOcean", function () {
    this.timeout(420_000);
    const controller = "dotest-controller-0";
    /** Contents of etcd's data directory, if that is on the volume. */
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
            // The host; nodes are allowed anyway.
            const apiAllowedCidrs = [vpcCidr.replace(/\d+\/\d+$/, "1/32")];
            const workerPools = [{ name: "default", count: 2 }];
            const snapshotSpace = { name: "dotest-snapshots" };
            cluster.account.behave({ idleSeconds: 60 });
            return { region: "fra1", workerPools, ingress: { httpPort: 8000 }, apiAllowedCidrs, snapshotSpace };
        });
    });
    after(() => cluster.destroy());

    it("is previewed without creating anything", async () => {
        const { stdout } = await cluster.pulumi("preview", "--non-interactive");
        assert.match(stdout, /digitalocean:index:Droplet +dotest-controller-0/);
        assert.deepEqual(cluster.account.left, []);
    });

    it("starts from user-data alone, with Ready nodes and pods reachable through its load balancer", async () => {
        const { stdout } = await cluster.up();
        assert.match(stdout, /bootstrap: the first controller has the assets that start the cluster/);
        assert.match(stdout, /bootstrap: pivoted at /);
        await cluster.ready();
        const names = [controller, "dotest-default-0", "dotest-default-1"];
        assert.deepEqual(
            await nodes(),
            names.map((each) => `node/${each}`),
        );
    });

    it("allows the API to reach kubelets, and workers nothing on a controller but the API", async () => {
        const [pod] = (
            await cluster.kubectl("get", "pods", "-n", "kube-system", "-l", "k8s-app=kube-proxy", "-o", "name")
        )
            .trim()
            .split("\n");
        assert.match(await cluster.kubectl("logs", "-n", "kube-system", pod!), /kube-proxy|proxier|Proxier/i);
        const { address } = Object.values(cluster.account.resources.droplets).find(({ name }) =>
            /controller/.test(name),
        )!;
        const ask = async (port: number) => (await cluster.exec("dotest-default-0", probeTls(address, port))).trim();
        assert.deepEqual(await Promise.all([6443, 10250, 2379].map(ask)), ["open", "open", "dropped"]);
    });

    it("blocks SSH, kubelets and etcd from outside, at every address of a droplet", async () => {
        const droplets = Object.values(cluster.account.resources.droplets);
        const tlsProbes = await tlsProbesFromOutside(
            "dotest",
            droplets.flatMap(({ address, publicAddress }) => [address, publicAddress!]),
        );
        assert.equal(Object.keys(tlsProbes).length, 18);
        assert.deepEqual(
            Object.entries(tlsProbes).filter(([, said]) => said !== "dropped"),
            [],
        );
    });

    it("blocks its API for everyone else", async () => {
        const { address } = cluster.account.balancer("dotest-api");
        const ask = `curl -ksS -m 3 https://${address}:6443/livez 2>&1 || true`;
        assert.equal(await cluster.exec("dotest-default-0", ask), "ok");
        const outside = containerName("dotest", "infra.service");
        assert.match(await docker(["exec", outside, "sh", "-c", ask]), /^curl: /);
    });

    it("keeps its agents' watches current although its load balancer closes idle connections", async () => {
        const lists = async () => {
            const metrics = await cluster.kubectl("get", "--raw", "/metrics");
            const counts = metrics.matchAll(
                /^apiserver_request_total{[^}]*resource="nodes"[^}]*verb="LIST".* (\d+)$/gm,
            );
            return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
        };
        const nothing = "/api/v1/namespaces/default/configmaps?fieldSelector=metadata.name=none";
        const watch = `${nothing}&watch=true&timeoutSeconds=120`;
        const [began, before] = [performance.now(), await lists()];
        // Nothing happens on these watches: the load balancer closes each after a minute.
        await clientOf(connectionOf(cluster.kubeconfig, {}), "idle").closeAfter(async (api) => {
            for (const _ of [1, 2, 3]) {
                await assert.rejects(
                    api.watch(watch, () => {}, 110_000),
                    /hang up|aborted|ECONNRESET/,
                );
            }
        });
        // The approver's own, every 20 seconds. Each agent whose watch was cut would add one a minute.
        const expected = Math.ceil((performance.now() - began) / 20_000);
        const made = (await lists()) - before;
        assert.ok(made <= expected + 2, `agents listed nodes again: ${made} lists, ${expected} by the approver`);
    });

    it("routes ingress to its workers through a separate load balancer", async () => {
        await cluster.serve("dotest-default-0", 8000);
        const { address } = cluster.account.balancer("dotest-ingress");
        const hello = () => cluster.served(address);
        assert.equal(await eventually("an answer of the ingress controller", hello), "hello");
    });

    it("blocks pods from the machine's metadata service, with just a rule on the node", async () => {
        const [url, node] = ["http://169.254.169.254/metadata/v1/id", "dotest-default-0"];
        await makeAsker(cluster, node);
        assert.equal(await ask(cluster, url), "EHOSTUNREACH");
        await cluster.exec(node, "ip rule del priority 100");
        assert.equal(await ask(cluster, url), "200");
        await cluster.exec(node, `${paths.bin}/node-routes`);
        assert.equal(await ask(cluster, url), "EHOSTUNREACH");
    });

    it("reports to each node which droplet it is", async () => {
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

    passesConformance(cluster);

    it("has an etcd snapshot in its Space, using a key that the stack created only for that", async () => {
        const isThere = async () =>
            assert.deepEqual(
                Object.values(cluster.account.resources.spacesObjects).map(({ key }) =>
                    key.replace(/-\d[\dTZ.]*(?=\.)/, ""),
                ),
                ["dotest/dotest.db.enc", "dotest/dotest.json"],
            );
        await eventually("a snapshot in the Space", isThere, 60);
    });

    it("changes a flag of its only apiserver and shrinks a pool in one up", async () => {
        await set("components.kubeApiserver.v", "1");
        await set("workerPools[0].count", "1");
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

    it("has its etcd data on a volume", async () => assert.equal(await etcdData(), "member\n"));

    it("is replaced with the current configuration on request, keeping its etcd member", async () => {
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

        await set("recreate[0]", controller);
        const { stdout } = await cluster.up();
        assert.match(stdout, new RegExp(`cordoning and draining ${controller}`));
        assert.match(stdout, new RegExp(`${controller} is back`));
        const unschedulable = ["get", "node", controller, "-o", "jsonpath={.spec.unschedulable}"];
        assert.equal(await cluster.kubectl(...unschedulable), "");
        assert.match(stdout, /bootstrap: the first controller has the assets that start the cluster/);
        await cluster.ready();
        assert.deepEqual([await etcdData(), await uid()], ["member\n", before]);
        assert.equal((await cluster.exec(controller, "cat /etc/motd")).trim(), "today");
        await cluster.up("--expect-no-changes");
        await cluster.pulumi("config", "rm", "tradewind:recreate");
        await cluster.up("--expect-no-changes");
    });

    it("is destroyed, leaving nothing but its snapshots in the account", async () => {
        const { stdout } = await cluster.destroy();
        assert.match(stdout, /SpacesBucket dotest-snapshots deleted .*\[retain\]/);
        const left = cluster.account.left.filter((each) => !each.startsWith("spacesObjects "));
        assert.deepEqual(left, ["spacesBuckets dotest-snapshots"]);
        assert.deepEqual(await list("dotest"), []);
    });
});
