import assert from "node:assert/strict";
import { internalAddress } from "../../clients/kubernetes/nodes";
import { isReady, type Node } from "../../clients/kubernetes/objects";
import { poolLabel } from "../../cluster/labels";
import { images } from "../../versions/images";
import { eventually, type TestCluster } from "./cluster";

/** Waits until a machine that joined by a token is a Ready node. */
export function isNode(cluster: TestCluster, node: string, what = `${node} to be a node`): Promise<Node> {
    const check = async () => {
        const found = await cluster.get<Node>("node", node);
        assert.ok(isReady(found.status));
        return found;
    };
    return eventually(what, check, 240);
}

/** Waits until it is a node of the pool, at its address, that runs pods in which programs can be executed. */
export async function hasJoined(cluster: TestCluster, node: string, pool: string, address: string): Promise<void> {
    const { metadata, status } = await isNode(cluster, node);
    assert.equal(metadata.labels?.[poolLabel], pool);
    assert.equal(internalAddress({ status }), address);
    await runsPod(cluster, node);
}

/** Runs a pod on a node, which resolves names; kube-apiserver verifies the kubelet's serving certificate. */
export async function runsPod(cluster: TestCluster, node: string): Promise<void> {
    await cluster.apply(deployment(node));
    await cluster.kubectl("rollout", "status", "deployment/racked", "--timeout=180s");
    const exec = () => cluster.kubectl("exec", "deployment/racked", "--", "cat", "/etc/hostname");
    assert.match(await eventually("a program in its pod", exec, 60), /^racked-/);
    const query = ["nslookup", "kubernetes.default.svc.cluster.local"];
    // By pods of other nodes.
    const resolve = () => cluster.kubectl("exec", "deployment/racked", "--", ...query);
    assert.match(await eventually("DNS in its pod", resolve, 60), /^Address.*10\.3\./m);
}

export const racked = { app: "racked" };

function deployment(node: string): object {
    return {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name: "racked" },
        spec: {
            selector: { matchLabels: racked },
            template: {
                metadata: { labels: racked },
                spec: {
                    nodeSelector: { "kubernetes.io/hostname": node },
                    terminationGracePeriodSeconds: 1,
                    containers: [{ name: "racked", image: images.busybox, command: ["sleep", "3600"] }],
                },
            },
        },
    };
}
