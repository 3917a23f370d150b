import assert from "node:assert/strict";
import { flannelAnnotation } from "../../agents/nodes/node-agent/rejoin-network";
import { isReady } from "../../clients/kubernetes/objects";
import { controllerLabel } from "../../cluster/labels";
import { eventually, type TestCluster } from "./cluster";

interface Node {
    readonly metadata: {
        readonly uid: string;
        readonly labels: Record<string, string>;
        readonly annotations: Record<string, string>;
    };
    readonly status: { readonly conditions: { type: string; status: string }[] };
}

/**
 * Deletes Nodes. Resolves to a function that waits until they are registered again, Ready, in the pod network, and
 * controllers with their role.
 */
export async function deleteNodes(cluster: TestCluster, ...names: string[]): Promise<() => Promise<void>> {
    const get = (name: string) => cluster.get<Node & { metadata: { name: string } }>("node", name);
    const before = await Promise.all(names.map(async (name) => (await get(name)).metadata.uid));
    await cluster.kubectl("delete", "node", "--wait=false", ...names);
    const isBack = async (name: string, uid: string) => {
        const { metadata, status } = await get(name);
        assert.notEqual(metadata.uid, uid, "it is a new one");
        assert.ok(isReady(status), "it is Ready");
        assert.equal(
            controllerLabel in metadata.labels,
            name.includes("-controller-"),
            "it has its role, if it had one",
        );
        assert.equal(metadata.annotations[flannelAnnotation], "true", "it is in the pod network");
    };
    return async () => {
        for (const [index, name] of names.entries()) {
            await eventually(`the Node ${name}`, () => isBack(name, before[index]!), 240);
        }
    };
}
