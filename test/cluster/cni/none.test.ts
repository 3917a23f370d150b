import assert from "node:assert/strict";
import { reboot } from "../../../machines";
import { describeLong } from "../../takes-long";
import { eventually, TestCluster } from "../cluster";
import { WebPods } from "./pods";
import { mountingPod, userFlannel, userProxy } from "./users-network";

const cluster = new TestCluster("owncni");
const nodes = [`${cluster.name}-controller-0`, `${cluster.name}-default-0`];

const withoutProxy = ["--cni", "none", "--kube-proxy-mode", "none"];

describeLong("a cluster whose CNI, and what replaces kube-proxy, users install", function () {
    this.timeout(400_000);
    const web = new WebPods(cluster);
    let stdout: string;

    before(async function () {
        this.timeout(1_500_000);
        ({ stdout } = await cluster.start("--controllers", "1", "--workers", "1", ...withoutProxy, "--yes"));
    });
    after(() => cluster.destroy());

    const readiness = async () => {
        const { items } = await cluster.get<{ items: Node[] }>("nodes");
        return items.map(({ status }) => status.conditions.find(({ type }) => type === "Ready")!.status);
    };
    const reachApiService = (node: string) =>
        cluster.exec(node, "curl --silent --insecure --max-time 5 https://10.3.0.1/livez");
    /** Whether a node has rules of the stack's kube-proxy. */
    const hasRules = (node: string) =>
        cluster.exec(node, "nft list table ip kube-proxy").then(
            () => true,
            () => false,
        );
    const statusOf = () =>
        cluster.tradewind("status").then(
            ({ stdout }) => stdout,
            (error: Error) => error.message,
        );
    const pods = async () => cluster.kubectl("-n", "kube-system", "get", "pods", "-o", "name");

    it("is up without one, and says that its nodes wait", async () => {
        assert.match(stdout, new RegExp(`waiting for the CNI that you install: ${nodes.join(", ")}`));
        assert.match(stdout, new RegExp(`Not Ready until you install a CNI \\(.*\\): ${nodes.join(", ")}\\.`));
        assert.deepEqual(await readiness(), ["False", "False"]);
        assert.doesNotMatch(await pods(), /flannel|kube-router|kube-proxy/);
        for (const node of nodes) assert.equal(await cluster.exec(node, "ls /etc/cni/net.d 2>/dev/null || true"), "");
        for (const node of nodes) await assert.rejects(reachApiService(node));
    });

    it("says so in its status", async () => {
        const text = await statusOf();
        assert.doesNotMatch(text, /kube-proxy/);
        for (const node of nodes) assert(text.includes(`The node ${node} is not Ready: it waits for a CNI`), text);
    });

    it("has nothing to change meanwhile", async () => {
        const { stdout } = await cluster.start("--yes");
        assert.match(stdout, /no changes: the cluster is up to date/);
    });

    it("is ready once there is one, with cluster DNS, Services and pods that reach each other", async () => {
        await cluster.apply(userFlannel);
        await cluster.apply(userProxy(cluster.name));
        for (const node of nodes) await eventually(`${node} to reach a Service`, () => reachApiService(node), 120);
        await eventually("the nodes", async () => assert.deepEqual(await readiness(), ["True", "True"]), 240);
        await cluster.kubectl("-n", "kube-system", "rollout", "status", "deployment/coredns", "--timeout=240s");
        await web.start();
        await web.reachEachOther();
        await web.reachService();
    });

    it("waits for all of it from then on, and has nothing to change", async () => {
        const { stdout } = await cluster.start("--yes");
        assert.match(stdout, /no changes: the cluster is up to date/);
        assert.doesNotMatch(stdout, /CNI that you install|Not Ready/);
    });

    it("is healthy then, without kube-proxy", async () => {
        const text = await statusOf();
        assert.match(text, /^owncni is healthy/);
        assert.doesNotMatch(text, /kube-proxy/);
        for (const node of nodes) assert(!(await hasRules(node)));
    });

    it("gets kube-proxy next to what replaced it, which can go then", async () => {
        await cluster.start("--kube-proxy-mode", "nftables", "--yes");
        for (const node of nodes) assert(await hasRules(node));
        await cluster.kubectl("-n", "kube-flannel", "delete", "daemonset", "users-proxy");
        await web.reachService();
    });

    it("lets a pod of the CNI mount what eBPF needs on the node, as Cilium's does", async () => {
        const [namespace, worker] = ["kube-flannel", nodes[1]!];
        await cluster.apply(mountingPod(namespace, worker));
        await cluster.kubectl("-n", namespace, "wait", "pod/mounts", "--for=jsonpath={.status.phase}=Succeeded");
        const types = await cluster.exec(worker, "stat --file-system --format=%T /sys/fs/bpf /run/users-cgroup");
        assert.deepEqual(types.trim().split("\n"), ["bpf_fs", "cgroup2fs"]);
        await cluster.kubectl("-n", namespace, "delete", "pod", "mounts");
    });

    it("loses kube-proxy again, and its rules with a reboot", async () => {
        const [controller, worker] = nodes as [string, string];
        await cluster.pulumi("config", "set", "tradewind:kubeProxyMode", "none");
        const { stdout } = await cluster.pulumi("preview");
        assert.match(stdout, /kube-proxy is removed from every node last of all; its rules stay on a node/);
        await cluster.start("--yes");
        assert.doesNotMatch(await pods(), /kube-proxy/);
        for (const node of nodes) assert(await hasRules(node));
        await reboot(cluster.name, worker);
        await eventually("the nodes", async () => assert.deepEqual(await readiness(), ["True", "True"]), 240);
        assert(!(await hasRules(worker)) && (await hasRules(controller)));
        await cluster.apply(userProxy(cluster.name));
        await eventually("the web servers", () => web.find(), 120);
        await web.reachService();
    });
});

interface Node {
    readonly status: { readonly conditions: readonly { readonly type: string; readonly status: string }[] };
}
