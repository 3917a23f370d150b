import assert from "node:assert/strict";
import type { NodeView } from "../../../../../../agents/nodes/node-agent/api";
import { isDesiredRuntime, observeRuntime } from "../../../../../../agents/nodes/node-agent/container-runtime/observe";
import type {
    ContainerRuntimes,
    RuntimeHost,
} from "../../../../../../agents/nodes/node-agent/container-runtime/runtimes";
import { runtimeId } from "../../../../../../agents/nodes/node-agent/layout";
import type { NodeAgentPlan } from "../../../../../../agents/nodes/node-agent/plan";
import type { NodePod } from "../../../../../../clients/kubernetes/kubelet-api";
import { newerRuntime, olderRuntime } from "../example";

const hash = (digit: string) => ({ urls: [], sha256: digit.repeat(64) });
const containerRuntime = { containerd: hash("2"), runc: hash("0") };
const plan = { containerRuntime, hasOtherNodes: true } as unknown as NodeAgentPlan;
const node = {} as NodeView;

/** @param asked - versions reported by its programs; undefined: there are none */
const disk = (
    host?: RuntimeHost,
    asked: object | undefined = { [olderRuntime.id]: olderRuntime, [newerRuntime.id]: newerRuntime },
) =>
    ({
        host: () => host,
        isHere: () => asked !== undefined,
        ask: async (id: string) => {
            const reported = (asked as Record<string, unknown>)[id];
            if (reported === undefined) throw new Error("half a file");
            return reported;
        },
    }) as unknown as ContainerRuntimes;

const pod = (app: string, isReady: boolean, more: object = {}): NodePod =>
    ({
        metadata: { name: `${app}-x`, namespace: "kube-system", uid: app, labels: { "k8s-app": app }, ...more },
        spec: { containers: [] },
        status: { conditions: [{ type: "Ready", status: isReady ? "True" : "False" }] },
    }) as NodePod;

describe("the observation of a node's container runtime", () => {
    const older = { current: olderRuntime.id };
    const observe = async (runtimes: ContainerRuntimes, of = plan, pods: NodePod[] = []) =>
        (await observeRuntime({ plan: of, runtimes }, node, pods))!;

    it("is skipped if the node keeps the runtime of its image", async () => {
        assert.equal(await observeRuntime({ plan: {} as NodeAgentPlan, runtimes: disk(older) }, node, []), undefined);
    });

    it("runs no program while there is nothing to change", async () => {
        assert.equal(runtimeId(containerRuntime), newerRuntime.id);
        const { reported, isAsDesired, isDrained } = await observe(disk({ current: newerRuntime.id }, {}));
        assert.deepEqual([reported, isAsDesired, isDrained], [undefined, true, false]);
        // A runtime that can't be changed counts as desired.
        assert.equal((await observe(disk(undefined, {}))).isAsDesired, true);
        assert.equal(isDesiredRuntime(plan, disk(older), { containerRuntime: "unpinned" } as NodeView), false);
    });

    it("requires a drain before another minor version, if another node can take the pods", async () => {
        assert.equal((await observe(disk(older))).isDrained, true);
        assert.equal((await observe(disk(older), { ...plan, hasOtherNodes: false })).isDrained, false);
        assert.equal(
            (
                await observe(
                    disk(older, {
                        ...{ [olderRuntime.id]: olderRuntime },
                        [newerRuntime.id]: { ...newerRuntime, containerd: "2.3.8" },
                    }),
                )
            ).isDrained,
            false,
        );
    });

    it("reports why the programs do not answer", async () => {
        const { reported, isDrained } = await observe(disk(older, { [olderRuntime.id]: olderRuntime }));
        assert.deepEqual([reported, isDrained], [{ fault: "half a file" }, false]);
    });

    it("lists control plane pods that are not Ready, and no other pods", async () => {
        const pods = [
            pod("kube-apiserver", false),
            pod("kube-scheduler", true),
            pod("checkpointer", false, { deletionTimestamp: "now" }),
            pod("coredns", false),
            pod("kube-controller-manager", false, { namespace: "default" }),
        ];
        assert.deepEqual((await observe(disk(older), plan, pods)).unready, ["kube-apiserver-x"]);
    });
});
