import assert from "node:assert/strict";
import type { ApiClient } from "../../../../clients/kubernetes/api-client";
import { ApiError } from "../../../../clients/kubernetes/api-error";
import type { Manifest } from "../../../../cluster/manifest";
import { nodeAgent } from "../../../../cluster/manifests/nodes/node-agent";
import { resolveCluster } from "../../../../cluster/resolve";
import { downloadsInUse, nodeFiles } from "../../../../components/upgrade/running-downloads";
import { downloads, podSpecOf } from "../in-cluster/fixture";

const cluster = resolveCluster({ name: "c", kubernetesVersion: "1.36.3" });
const older = { urls: ["http://mirror.example/older"], sha256: "5".repeat(64) };
const [config, set] = nodeAgent(
    cluster,
    { pool: "controller", downloads: { ...downloads, otherKubelets: { "1.35.4": older } }, maxUnavailable: 1 },
    "",
) as [Manifest, Manifest];

const pod = (nodeName: string, isReady = true, spec: object = podSpecOf(set)!) => ({
    spec: { ...spec, nodeName },
    status: { conditions: [{ type: "Ready", status: isReady ? "True" : "False" }] },
});
const node = (name: string, kubeletVersion: string, annotations = {}) => ({
    metadata: { name, annotations },
    status: { nodeInfo: { kubeletVersion, architecture: "amd64" } },
});

/** Responses by the last part of a path. */
function apiOf(answers: Record<string, unknown>): { api: ApiClient; asked: string[] } {
    const asked: string[] = [];
    const call = async (path: string) => {
        const name = path.split("?")[0]!.split("/").at(-1)!;
        asked.push(name);
        if (!(name in answers)) throw new ApiError(404, "not found");
        return answers[name];
    };
    return { api: { call } as unknown as ApiClient, asked };
}

describe("the downloads of node-agents", () => {
    it("is in the plan of each pool's", async () => {
        const { api } = apiOf({ daemonsets: { items: [set] }, [config.metadata.name]: config });
        const { controller } = await downloadsInUse(api);
        assert.equal(controller!.desired, "1.36.3");
        assert.deepEqual(controller!.kubelets["1.36.3"], downloads.kubelet);
        assert.deepEqual(controller!.cniPlugins, downloads.cniPlugins);
    });

    it("are unknown if the plan is missing", async () => {
        const { api } = apiOf({ daemonsets: { items: [set] } });
        assert.deepEqual(await downloadsInUse(api), {});
    });
});

describe("what nodes have of files", () => {
    const kubelet = { version: "1.36.3", ...downloads.kubelet };
    const has = async (pods: object[], nodes: object[]) => {
        const answers = { pods: { items: pods }, nodes: { items: nodes }, [config.metadata.name]: config };
        const { api, asked } = apiOf(answers);
        return { files: await nodeFiles(api), asked };
    };

    it("are those of their agents, once these are Ready, with each plan read once", async () => {
        const { files, asked } = await has(
            [pod("a"), pod("b"), pod("waits", false), pod("gone")],
            [node("a", "v1.36.3"), node("b", "v1.35.4"), node("waits", "v1.35.4")],
        );
        const { cniPlugins } = downloads;
        assert.deepEqual(files, [
            { node: "a", architecture: "amd64", kubelet, cniPlugins },
            { node: "b", architecture: "amd64", kubelet: { version: "1.35.4", ...older }, cniPlugins },
        ]);
        assert.equal(asked.filter((each) => each === config.metadata.name).length, 1);
    });

    it("do not include a kubelet that is not in the plan, or CNI plugins selected by the node's annotation", async () => {
        const annotations = { "tradewind.dev/cni-plugins": "abc" };
        const { files } = await has([pod("a")], [node("a", "v1.34.1", annotations)]);
        assert.deepEqual(files, [{ node: "a", architecture: "amd64" }]);
    });

    it("include the container runtime of the plan, unless the node's annotation selects another one", async () => {
        const containerRuntime = { containerd: older, runc: downloads.kubelet };
        const [plan, agents] = nodeAgent(
            cluster,
            { pool: "controller", downloads: { ...downloads, containerRuntime }, maxUnavailable: 1 },
            "",
        ) as [Manifest, Manifest];
        const annotations = { "tradewind.dev/container-runtime": "abc" };
        const spec = podSpecOf(agents)!;
        const { api } = apiOf({
            pods: { items: [pod("a", true, spec), pod("b", true, spec)] },
            nodes: { items: [node("a", "v1.36.3"), node("b", "v1.36.3", annotations)] },
            [plan.metadata.name]: plan,
        });
        const files = await nodeFiles(api);
        assert.deepEqual(
            files.map(({ containerRuntime: known }) => known),
            [containerRuntime, undefined],
        );
    });

    it("are unknown if their plan is missing", async () => {
        const spec = { volumes: [{ configMap: { name: "node-agent-controller-gone" } }] };
        const { files } = await has([pod("a", true, spec), pod("b", true, { volumes: [] })], [node("a", "v1.36.3")]);
        assert.deepEqual(files, []);
    });
});
