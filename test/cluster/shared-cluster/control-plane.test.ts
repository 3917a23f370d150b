import assert from "node:assert/strict";
import { isOver } from "../../../local/pods";
import { versions } from "../../../versions";
import { shared, sharedCluster } from "../shared";

interface Pod {
    readonly metadata: {
        readonly name: string;
        readonly annotations?: Record<string, string>;
        readonly ownerReferences?: { kind: string }[];
    };
    readonly status: { readonly phase: string; readonly conditions: { type: string; status: string }[] };
}

const controller = "test-controller-0";

describe("a cluster after the pivot", function () {
    this.timeout(180_000);

    before(async function () {
        this.timeout(600_000);
        await sharedCluster();
    });

    it("has every node Ready, with the pool's name and the controller's role", async () => {
        interface Node {
            readonly metadata: { readonly name: string; readonly labels: Record<string, string> };
            readonly status: { readonly conditions: { type: string; status: string }[] };
        }
        const { items } = await shared.get<{ items: Node[] }>("nodes");
        assert.deepEqual(
            items.map(({ metadata }) => [metadata.name, metadata.labels["node.kubernetes.io/pool"]]).sort(),
            [
                [controller, "controller"],
                ["test-default-0", "default"],
                ["test-default-1", "default"],
            ],
        );
        for (const { metadata, status } of items) {
            assert.equal(status.conditions.find(({ type }) => type === "Ready")?.status, "True", metadata.name);
            assert.equal("node-role.kubernetes.io/control-plane" in metadata.labels, metadata.name === controller);
        }
    });

    it("ignores how full the host's disk is", async () => {
        const configz = await shared.kubectl("get", "--raw", `/api/v1/nodes/${controller}/proxy/configz`);
        const { evictionHard, imageGCHighThresholdPercent } = JSON.parse(configz).kubeletconfig;
        assert.equal(evictionHard["nodefs.available"], "1Gi");
        assert.equal(evictionHard["imagefs.available"], "1Gi");
        assert.equal(evictionHard["memory.available"], "100Mi");
        assert.equal(imageGCHighThresholdPercent, 100);
    });

    it("has every pod of kube-system Ready or completed", async () => {
        const { items } = await shared.get<{ items: Pod[] }>("pods", "-n", "kube-system");
        assert(items.length >= 10);
        for (const { metadata, status } of items) {
            if (isOver(status)) continue;
            assert.equal(status.conditions.find(({ type }) => type === "Ready")?.status, "True", metadata.name);
        }
    });

    it("runs the control plane as DaemonSets and Deployments, with no static pods except etcd and a waiting checkpointer", async () => {
        const { items } = await shared.get<{ items: Pod[] }>("pods", "-n", "kube-system");
        const isStatic = ({ metadata }: Pod) => metadata.annotations?.["kubernetes.io/config.source"] === "file";
        assert.deepEqual(
            items.filter(isStatic).map(({ metadata }) => metadata.name),
            [`checkpoint-checkpointer-${controller}`, `etcd-${controller}`],
        );
        for (const component of ["kube-apiserver", "kube-controller-manager", "kube-scheduler"]) {
            const owners = items
                .filter(({ metadata }) => metadata.name.startsWith(`${component}-`))
                .map(({ metadata }) => metadata.ownerReferences?.[0]?.kind);
            assert.deepEqual(owners, ["DaemonSet"], component);
        }
        assert.equal(
            await shared.exec(controller, "ls /etc/kubernetes/manifests"),
            "checkpoint-kube-system.checkpointer.json\netcd.json\n",
        );
    });

    it("leaves no bootstrap secret on the controller and no key that others can read", async () => {
        const left = await shared.exec(
            controller,
            "find /opt/tradewind/bootstrap \\( -name '*.key' -o -name kubeconfig \\) 2>/dev/null; true",
        );
        assert.equal(left, "");
        const open = await shared.exec(
            controller,
            "find /etc/kubernetes /var/lib/kubelet/pki /opt/tradewind -type f \\( -name '*.key' -o -name '*kubeconfig*' -o -name '*.pem' \\) -perm /077",
        );
        assert.equal(open, "");
    });

    it("tells anonymous clients about its health and nothing else", async () => {
        const api = (await shared.pulumi("stack", "output", "apiUrl")).stdout.trim();
        const anonymous = (path: string) =>
            shared.exec(controller, `curl -sk -o /dev/null -w '%{http_code}' '${api}${path}'`);
        assert.equal(await anonymous("/readyz"), "200");
        assert.equal(await anonymous("/api/v1/namespaces/kube-public/configmaps/cluster-info"), "401");
        assert.equal(await anonymous("/api/v1/namespaces"), "401");
        const { items } = await shared.get<{ items: { metadata: { name: string } }[] }>(
            "configmaps",
            "-n",
            "kube-public",
        );
        assert.deepEqual(
            items.map(({ metadata }) => metadata.name),
            ["kube-root-ca.crt"],
        );
    });

    it("rejects anonymous requests to the kubelet", async () => {
        const status = await shared.exec(
            controller,
            "curl -sk -o /dev/null -w '%{http_code}' https://127.0.0.1:10250/pods",
        );
        assert.equal(status, "401");
    });

    it("reports the requested version to kubectl", async () => {
        const { serverVersion } = JSON.parse(await shared.kubectl("version", "-o", "json"));
        assert.equal(serverVersion.gitVersion, `v${versions.kubernetes}`);
    });
});
