import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { isReady } from "../../../agents/common/ready-condition";
import { powerCut } from "../../../machines";
import { itTakesLong } from "../../takes-long";
import { eventually } from "../cluster";
import { apiAnswers, isWhole, type Scene } from "../faults";
import { describeTallies, Prober } from "../prober";
import { likeKubernetes, loadBalancerTargets } from "../rollout";
import { shared, sharedCluster } from "../shared";

const controller = `${shared.name}-controller-0`;
const workers = [`${shared.name}-default-0`, `${shared.name}-default-1`] as const;
const scene: Scene = { cluster: shared, controllers: [controller], workers };
const role = "node-role.kubernetes.io/control-plane";
const flannelManages = "flannel.alpha.coreos.com/kube-subnet-manager";

interface Node {
    readonly metadata: {
        readonly uid: string;
        readonly labels: Record<string, string>;
        readonly annotations: Record<string, string>;
    };
    readonly status: { readonly conditions: { type: string; status: string }[] };
}

const get = (name: string) => shared.get<Node & { metadata: { name: string } }>("node", name);

/** Deletes Nodes. Resolves to what waits until they are registered again, Ready and, if one is the controller, with its role. */
async function deleteNodes(...names: string[]): Promise<() => Promise<void>> {
    const before = await Promise.all(names.map(async (name) => (await get(name)).metadata.uid));
    await shared.kubectl("delete", "node", "--wait=false", ...names);
    return async () => {
        for (const [index, name] of names.entries()) {
            await eventually(
                `the Node ${name}`,
                async () => {
                    const { metadata, status } = await get(name);
                    assert.notEqual(metadata.uid, before[index], "it is another one");
                    assert.ok(isReady(status), "it is Ready");
                    assert.equal(role in metadata.labels, name === controller, "it has its role");
                    assert.equal(metadata.annotations[flannelManages], "true", "it is in the pod network");
                },
                240,
            );
        }
    };
}

const checkpoints = () => shared.exec(controller, "ls /etc/kubernetes/checkpoints/kube-system");

describe("a Node that is deleted", function () {
    this.timeout(600_000);

    before(async () => {
        await sharedCluster();
        await isWhole(scene, new Date(), 180);
    });

    it("is registered again by its machine, and no request fails where it is the only controller's", async () => {
        const kept = await checkpoints();
        const prober = new Prober(await loadBalancerTargets(shared), 400);
        const start = performance.now();
        try {
            const since = new Date();
            const areBack = await deleteNodes(controller, workers[0]);
            await areBack();
            console.log(`      back after ${((performance.now() - start) / 1000).toFixed(0)} s`);
            await isWhole(scene, since, 240);
            console.log(`      whole after ${((performance.now() - start) / 1000).toFixed(0)} s`);
            // The last copy drains.
            await sleep(15_000);
        } finally {
            const tallies = await prober.stop();
            console.log(`      ${describeTallies(tallies)}`);
            assert.deepEqual(
                likeKubernetes(tallies).flatMap(({ failures }) => failures),
                [],
            );
        }
        assert.equal(await checkpoints(), kept);
        const { stdout } = await shared.pulumi("up", "--yes", "--skip-preview");
        assert.doesNotMatch(stdout, /created|updated|deleted|replaced/, "a plain `up` has nothing to do");
    });

    const after: [string, () => Promise<unknown>][] = [
        ["its kubelet restarts at once", () => shared.exec(controller, "systemctl restart kubelet")],
        ["its machine loses power", () => powerCut(shared.name, controller)],
    ];
    for (const [what, act] of after) {
        itTakesLong(`comes back with its control plane where it is the only controller's and ${what}`, async () => {
            const since = new Date();
            const isBack = await deleteNodes(controller);
            await act();
            await apiAnswers(scene);
            await isBack();
            await isWhole(scene, since, 300);
        });
    }

    itTakesLong("of a worker comes back into the pod network where its kubelet restarts at once", async () => {
        const since = new Date();
        const isBack = await deleteNodes(workers[0]);
        await shared.exec(workers[0], "systemctl restart kubelet");
        await isBack();
        await isWhole(scene, since, 300);
    });
});
