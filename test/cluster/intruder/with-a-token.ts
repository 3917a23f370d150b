import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { isReady } from "../../../clients/kubernetes/objects";
import { paths } from "../../../cluster/paths";
import { eventually } from "../cluster";
import { isWhole } from "../faults";
import type { NodeObject } from "../node-sight";
import type { Attacked } from "./attacked";
import { answersTo, askFor, askToBe, assertLeft, forget, kubeconfigBy, tokenOn } from "./joining";

/** Attacks by the token with which a worker joins. @param itSlow - runs the one that takes two minutes */
export function attacksWithToken(scene: Attacked, itSlow: (title: string, test: Mocha.AsyncFunc) => void): void {
    const { cluster } = scene;
    const controller = scene.controllers[0]!;
    const [first, second] = scene.workers as [string, string];

    /** Makes a worker's machine lose its certificate and its Node, like a replaced one, and join again with its token. */
    async function joinAgain(node: string): Promise<void> {
        await cluster.exec(node, `systemctl stop kubelet && rm -rf ${paths.kubeletPki}/* ${paths.kubeconfig}`);
        await cluster.kubectl("delete", "node", node);
        await cluster.exec(node, "systemctl start --no-block kubelet");
    }

    async function isNode(name: string): Promise<void> {
        const { items } = await cluster.get<{ items: NodeObject[] }>("nodes");
        const node = items.find(({ metadata }) => metadata.name === name);
        assert.ok(node && isReady(node.status), `${name} is not Ready`);
    }

    // The shell that runs this must not match. One of three is the leader.
    const approver = (signal: string) =>
        Promise.all(
            scene.controllers.map((each) => cluster.exec(each, `pkill -${signal} -f '[n]ode-approver.js' || true`)),
        );

    describe("an intruder with root on a worker and its token", function () {
        this.timeout(300_000);
        let path: string;

        before(async function () {
            this.timeout(600_000);
            await scene.start();
            path = kubeconfigBy(cluster, await tokenOn(cluster, first));
        });

        it("cannot become a controller, another worker or anything else, while a machine of the stack can join", async () => {
            const asked = {
                "the controller": await askToBe(path, controller),
                "a future controller": await askToBe(path, `${cluster.name}-controller-${scene.controllers.length}`),
                "another worker": await askToBe(path, second),
                "a future worker": await askToBe(path, `${cluster.name}-default-2`),
                "an unknown node": await askToBe(path, "phantom"),
                "its own node, which is Ready": await askToBe(path, first),
                "an administrator": await askFor(path, "kubernetes-admin", "system:masters"),
            };
            try {
                await joinAgain(second);
                await eventually("the worker to join again", () => isNode(second), 180);
                // By then all have been checked again.
                await sleep(6_000);
                await assertLeft(cluster, asked);
            } finally {
                await forget(cluster, Object.values(asked));
            }
        });

        it("cannot become a worker whose machine is briefly down either", async () => {
            await cluster.exec(second, "systemctl stop kubelet");
            await cluster.kubectl("delete", "node", second);
            const asked = { "a worker that is down": await askToBe(path, second) };
            try {
                await sleep(8_000);
                await assertLeft(cluster, asked);
            } finally {
                await forget(cluster, Object.values(asked));
                await cluster.exec(second, "systemctl start --no-block kubelet");
            }
            await eventually("the worker to register again", () => isNode(second), 120);
        });

        itSlow(
            "waits like everything else while no approver runs, and machines are admitted once it is back",
            async () => {
                await approver("STOP");
                const own = kubeconfigBy(cluster, await tokenOn(cluster, second));
                let request: string | undefined;
                try {
                    await joinAgain(second);
                    request = await askToBe(own, second);
                    await sleep(8_000);
                    assert.deepEqual(await answersTo(cluster, [request]), { [request]: "" });
                } finally {
                    // Otherwise this one might be admitted.
                    if (request) await forget(cluster, [request]);
                    await approver("CONT");
                }
                // For two minutes after the last admission a name is reserved for that machine.
                await eventually("the worker to join again", () => isNode(second), 240);
            },
        );

        it("leaves a worker whose pods have a network, though its Node has another address block", async () => {
            await isWhole(scene, new Date(), 240);
        });
    });
}
