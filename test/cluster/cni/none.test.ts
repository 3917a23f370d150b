import assert from "node:assert/strict";
import { images } from "../../../versions/images";
import { describeLong } from "../../takes-long";
import { eventually, TestCluster } from "../cluster";
import { WebPods } from "./pods";

const cluster = new TestCluster("owncni");
const nodes = [`${cluster.name}-controller-0`, `${cluster.name}-default-0`];

describeLong("a cluster whose CNI users install", function () {
    this.timeout(400_000);
    const web = new WebPods(cluster);
    let stdout: string;

    before(async function () {
        this.timeout(1_500_000);
        ({ stdout } = await cluster.start("--controllers", "1", "--workers", "1", "--cni", "none", "--yes"));
    });
    after(() => cluster.destroy());

    const readiness = async () => {
        const { items } = await cluster.get<{ items: Node[] }>("nodes");
        return items.map(({ status }) => status.conditions.find(({ type }) => type === "Ready")!.status);
    };
    const pods = async () => cluster.kubectl("-n", "kube-system", "get", "pods", "-o", "name");

    it("is up without one, and says that its nodes wait", async () => {
        assert.match(stdout, new RegExp(`waiting for the CNI that you install: ${nodes.join(", ")}`));
        assert.match(stdout, new RegExp(`Not Ready until you install a CNI \\(.*\\): ${nodes.join(", ")}\\.`));
        assert.deepEqual(await readiness(), ["False", "False"]);
        assert.doesNotMatch(await pods(), /flannel|kube-router/);
        for (const node of nodes) assert.equal(await cluster.exec(node, "ls /etc/cni/net.d 2>/dev/null || true"), "");
    });

    it("says so in its status", async () => {
        const text = await cluster.tradewind("status").then(
            ({ stdout }) => stdout,
            (error: Error) => error.message,
        );
        for (const node of nodes) assert(text.includes(`The node ${node} is not Ready: it waits for a CNI`), text);
    });

    it("has nothing to change meanwhile", async () => {
        const { stdout } = await cluster.start("--yes");
        assert.match(stdout, /no changes: the cluster is up to date/);
    });

    it("is ready once there is one, with cluster DNS, Services and pods that reach each other", async () => {
        await cluster.apply(userFlannel);
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
});

interface Node {
    readonly status: { readonly conditions: readonly { readonly type: string; readonly status: string }[] };
}

const namespace = "kube-flannel";
const metadata = { name: "flannel", namespace };
const cniConfig = {
    name: "cbr0",
    cniVersion: "0.3.1",
    plugins: [
        { type: "flannel", delegate: { hairpinMode: true, isDefaultGateway: true } },
        { type: "portmap", capabilities: { portMappings: true } },
    ],
};

/** flannel in a namespace of its own, as its project's manifest installs it: it reaches the API by its Service. */
const userFlannel = {
    apiVersion: "v1",
    kind: "List",
    items: [
        {
            apiVersion: "v1",
            kind: "Namespace",
            metadata: {
                name: namespace,
                labels: {
                    "pod-security.kubernetes.io/enforce": "privileged",
                    "tradewind.dev/system-priority-classes": "allowed",
                },
            },
        },
        { apiVersion: "v1", kind: "ServiceAccount", metadata },
        {
            apiVersion: "rbac.authorization.k8s.io/v1",
            kind: "ClusterRole",
            metadata: { name: "users-flannel" },
            rules: [
                { apiGroups: [""], resources: ["pods"], verbs: ["get"] },
                { apiGroups: [""], resources: ["nodes"], verbs: ["get", "list", "watch"] },
                { apiGroups: [""], resources: ["nodes/status"], verbs: ["patch"] },
            ],
        },
        {
            apiVersion: "rbac.authorization.k8s.io/v1",
            kind: "ClusterRoleBinding",
            metadata: { name: "users-flannel" },
            roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "users-flannel" },
            subjects: [{ kind: "ServiceAccount", ...metadata }],
        },
        {
            apiVersion: "v1",
            kind: "ConfigMap",
            metadata,
            data: {
                "cni-conf.json": JSON.stringify(cniConfig),
                "net-conf.json": JSON.stringify({ Network: "10.2.0.0/16", Backend: { Type: "vxlan" } }),
            },
        },
        {
            apiVersion: "apps/v1",
            kind: "DaemonSet",
            metadata,
            spec: {
                selector: { matchLabels: { app: "flannel" } },
                template: { metadata: { labels: { app: "flannel" } }, spec: flannelPod() },
            },
        },
    ],
};

function flannelPod(): object {
    const mount = (name: string, mountPath: string) => ({ name, mountPath });
    const onHost = (name: string, path: string) => ({ name, hostPath: { path, type: "DirectoryOrCreate" } });
    const field = (name: string, fieldPath: string) => ({ name, valueFrom: { fieldRef: { fieldPath } } });
    return {
        serviceAccountName: "flannel",
        hostNetwork: true,
        priorityClassName: "system-node-critical",
        tolerations: [{ operator: "Exists", effect: "NoSchedule" }],
        initContainers: [
            {
                name: "install-cni-plugin",
                image: images.flannelCniPlugin,
                command: ["cp", "-f", "/flannel", "/opt/cni/bin/flannel"],
                volumeMounts: [mount("plugins", "/opt/cni/bin")],
            },
            {
                name: "install-cni",
                image: images.flannel,
                command: ["cp", "-f", "/etc/kube-flannel/cni-conf.json", "/etc/cni/net.d/10-flannel.conflist"],
                volumeMounts: [mount("cni", "/etc/cni/net.d"), mount("config", "/etc/kube-flannel")],
            },
        ],
        containers: [
            {
                name: "flannel",
                image: images.flannel,
                command: ["/opt/bin/flanneld", "--ip-masq", "--kube-subnet-mgr"],
                securityContext: { capabilities: { add: ["NET_ADMIN", "NET_RAW"] } },
                env: [field("POD_NAME", "metadata.name"), field("POD_NAMESPACE", "metadata.namespace")],
                volumeMounts: [mount("run", "/run/flannel"), mount("config", "/etc/kube-flannel")],
            },
        ],
        volumes: [
            onHost("run", "/run/flannel"),
            onHost("plugins", "/opt/cni/bin"),
            onHost("cni", "/etc/cni/net.d"),
            { name: "config", configMap: { name: "flannel" } },
        ],
    };
}
