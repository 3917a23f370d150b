import assert from "node:assert/strict";
import { versionAnnotation } from "../../../agents/nodes/node-agent/plan";
import { isReady } from "../../../clients/kubernetes/objects";
import { versions } from "../../../versions";
import { itLong } from "../../takes-long";
import { eventually } from "../cluster";
import { olderVersion } from "../life";
import { cordonedNodes, eventsOf, type NodeObject } from "../node-sight";
import { controllerTargets } from "../rollout";
import { shared, sharedCluster } from "../shared";
import { spreadWeb } from "../spread-web";
import { allAre, underProber } from "../under-prober";

const controller = `${shared.name}-controller-0`;
const canary = `${shared.name}-default-1`;
const up = () => shared.pulumi("up", "--yes", "--skip-preview");

const all = ["deployment/canary", "service/canary", "poddisruptionbudget/canary"];

interface Pod {
    readonly metadata: { readonly name: string };
    readonly spec: { readonly nodeName?: string };
}

/** Name of the pod on the node. */
async function podThere(): Promise<string | undefined> {
    const { items } = await shared.get<{ items: Pod[] }>("pods", "-l", "app=canary");
    return items.find(({ spec }) => spec.nodeName === canary)?.metadata.name;
}

const rolledOut = () => shared.kubectl("rollout", "status", "deployment/canary", "--timeout=110s");
const annotate = (value: string) =>
    shared.kubectl("annotate", "--overwrite", "node", canary, `${versionAnnotation}${value}`);

/** Waits until the node runs a version and is schedulable. */
async function runs(version: string): Promise<void> {
    const start = performance.now();
    await eventually(
        `kubelet ${version}`,
        async () => {
            const { spec, status } = await shared.get<NodeObject>("node", canary);
            assert.equal(status.nodeInfo.kubeletVersion, `v${version}`);
            assert.deepEqual([isReady(status), spec.unschedulable ?? false], [true, false]);
        },
        240,
    );
    console.log(`      kubelet ${version} after ${((performance.now() - start) / 1000).toFixed(0)} s`);
    await rolledOut();
}

describe("one node whose annotation selects another kubelet", function () {
    this.timeout(1_200_000);

    before(async function () {
        this.timeout(600_000);
        await sharedCluster();
    });
    after(() => shared.kubectl("delete", "--ignore-not-found", ...all));

    itLong(
        "rejects one that is not pinned, waits for a disruption budget, and alone switches to it and back",
        async () => {
            const change = async () => {
                await shared.pulumi(
                    "config",
                    "set",
                    "--path",
                    "tradewind:otherKubelets[0]",
                    olderVersion,
                    "--plaintext",
                );
                await up();
                await shared.apply(spreadWeb("canary", 0, 30_081));
                await rolledOut();

                await annotate("=1.34.0");
                await eventually("the rejection", async () => {
                    const [refusal] = await eventsOf(shared, canary, "KubeletVersionRefused");
                    assert.match(
                        refusal ?? "",
                        new RegExp(`must be one of .*${olderVersion.replaceAll(".", "\\.")}.* \\(got 1\\.34\\.0\\)`),
                    );
                });
                assert.deepEqual(await cordonedNodes(shared), []);

                const pod = await podThere();
                assert.ok(pod);
                await annotate(`=${olderVersion}`);
                await eventually(
                    "the report of a blocked drain",
                    async () => {
                        const [event] = await eventsOf(shared, canary, "KubeletDrainBlocked");
                        assert.match(event ?? "", new RegExp(`default/${pod} stays: 429`));
                    },
                    420,
                );
                assert.deepEqual(await cordonedNodes(shared), [canary]);
                assert.equal(await podThere(), pod, "nothing is forced");
                const { status } = await shared.get<NodeObject>("node", canary);
                assert.equal(status.nodeInfo.kubeletVersion, `v${versions.kubernetes}`);

                await shared.kubectl("delete", "poddisruptionbudget/canary");
                await runs(olderVersion);
                const { items } = await shared.get<{ items: NodeObject[] }>("nodes");
                const others = items.filter(({ metadata }) => metadata.name !== canary);
                for (const node of others) assert.equal(node.status.nodeInfo.kubeletVersion, `v${versions.kubernetes}`);
                assert.notEqual(await podThere(), pod);
                await shared.kubectl("-n", "kube-system", "rollout", "status", "daemonset/node-agent-default");
                // Only the node is affected: the stack reports no change.
                await shared.pulumi("preview", "--expect-no-changes");

                await annotate("-");
                await runs(versions.kubernetes);
                await shared.pulumi("config", "rm", "tradewind:otherKubelets");
                await up();
            };
            await underProber(shared, "a canary, there and back", () => controllerTargets(shared, controller), change);
            await allAre(shared, versions.kubernetes, 3);
            await shared.pulumi("preview", "--expect-no-changes");
        },
    );
});
