import assert from "node:assert/strict";
import { reboot } from "../../../machines";
import { describeLong } from "../../takes-long";
import { eventually, TestCluster } from "../cluster";
import { kubeletClient } from "../intruder/kubelet-client";
import { type WebPod, WebPods } from "./pods";

const cluster = new TestCluster("router");
const [controller, worker] = [`${cluster.name}-controller-0`, `${cluster.name}-default-0`] as const;

const deny = {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { name: "deny", namespace: "default" },
    spec: { podSelector: { matchLabels: { app: "web" } }, policyTypes: ["Ingress"] },
};

describeLong("a cluster with kube-router as its CNI", function () {
    this.timeout(400_000);
    const web = new WebPods(cluster);

    before(async function () {
        this.timeout(1_500_000);
        await cluster.start("--controllers", "1", "--workers", "1", "--cni", "kube-router", "--yes");
        await web.start();
    });
    after(() => cluster.destroy());

    const addressOf = async (node: string) => {
        const { status } = await cluster.get<{ status: { addresses: { type: string; address: string }[] } }>(
            "node",
            node,
        );
        return status.addresses.find(({ type }) => type === "InternalIP")!.address;
    };

    it("has a tunnel to the pods of each other node, and nothing of flannel", async () => {
        for (const [node, other] of [
            [controller, worker],
            [worker, controller],
        ] as const) {
            const { spec } = await cluster.get<{ spec: { podCIDR: string } }>("node", other);
            const route = (await cluster.exec(node, `ip route show ${spec.podCIDR}`)).trim();
            const [, tunnel] = /^\S+ dev (tun-\w+) proto 17 src \S+$/.exec(route) ?? [];
            assert(tunnel, route);
            const link = await cluster.exec(node, `ip -d link show ${tunnel}`);
            assert.match(link, new RegExp(`mtu 1450 .*vxlan id \\d+ remote ${await addressOf(other)} `, "s"));
            assert.doesNotMatch(await cluster.exec(node, "ip -br link; ls /etc/cni/net.d"), /flannel/);
        }
        assert.doesNotMatch(await cluster.kubectl("-n", "kube-system", "get", "daemonset", "-o", "name"), /flannel/);
    });

    it("delivers packets between pods of different nodes, both ways", () => web.reachEachOther());

    it("resolves and reaches a Service in pods", () => web.reachService());

    it("delivers payloads larger than a packet completely, over a tunnel", async () => {
        const [from, to] = web.pods as [WebPod, WebPod];
        await web.run(to, "dd", "if=/dev/zero", "of=/tmp/web/big", "bs=1024", "count=4096");
        const fetch = `busybox wget -q -O - http://${to.status.podIP}:8080/big | wc -c`;
        assert.equal((await web.run(from, "timeout", "60", "sh", "-c", fetch)).trim(), String(4 << 20));
    });

    it("keeps the BGP server of nodes from pods, on their own and on other nodes", async () => {
        for (const pod of web.pods) {
            for (const node of [controller, worker]) {
                const reaches = async (port: number) => {
                    const connect = `busybox nc -w 3 ${await addressOf(node)} ${port} </dev/null && echo reached || echo refused`;
                    return (await web.run(pod, "sh", "-c", connect)).trim();
                };
                assert.match(await reaches(10250), /reached/);
                for (const port of [179, 50051]) assert.match(await reaches(port), /^refused/, `${port} on ${node}`);
            }
        }
    });

    it("keeps the kubelet of a worker from annotating its Node for kube-router on other nodes", async () => {
        const kubelet = await kubeletClient(cluster, worker);
        const annotate = (annotations: object) =>
            kubelet.send({
                method: "PATCH",
                path: `/api/v1/nodes/${worker}`,
                contentType: "application/merge-patch+json",
                body: { metadata: { annotations } },
            });
        try {
            await annotate({ "example.com/a": "b" });
            for (const [key, value] of [
                ["pod-cidrs", "0.0.0.0/1"],
                ["rr.server", "1"],
                ["peer.ips", "10.0.0.1"],
            ]) {
                await assert.rejects(annotate({ [`kube-router.io/${key}`]: value }), /configure routes of all nodes/);
            }
        } finally {
            kubelet.close();
        }
    });

    it("keeps etcd of a controller from its pods", async () => {
        const pod = web.pods.find(({ spec }) => spec.nodeName === controller)!;
        const connect = `busybox nc -w 3 ${await addressOf(controller)} 2379 </dev/null && echo reached || echo refused`;
        assert.match(await web.run(pod, "sh", "-c", connect), /refused/);
    });

    it("enforces network policies between nodes, and no longer once they are removed", async () => {
        const [from, to] = web.pods as [WebPod, WebPod];
        const url = `http://${to.status.podIP}:8080/`;
        await cluster.apply(deny);
        await eventually("the policy", () => assert.rejects(web.fetch(from, url)), 60);
        await cluster.kubectl("delete", "networkpolicy", "deny");
        await web.reachEachOther();
    });

    it("delivers them again after a reboot of a worker", async () => {
        await reboot(cluster.name, worker);
        const wait = () => cluster.kubectl("wait", "node", "--all", "--for=condition=Ready", "--timeout=10s");
        await eventually("the node", wait, 240);
        await eventually("the pods", () => web.find(), 60);
        await web.reachEachOther();
        await web.reachService();
    });

    it("has nothing to change in a second up", async () => {
        const { stdout } = await cluster.start("--yes");
        assert.match(stdout, /no changes: the cluster is up to date/);
    });
});
