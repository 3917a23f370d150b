import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { isReady } from "../../../clients/kubernetes/objects";
import { paths } from "../../../cluster/paths";
import { itLong } from "../../takes-long";
import { eventually } from "../cluster";
import { isWhole } from "../faults";
import { answersTo, askFor, askToBe, assertLeft, forget, kubeconfigBy, tokenOn } from "../intruder/joining";
import type { NodeObject } from "../node-sight";
import { shared, sharedCluster } from "../shared";

const controller = `${shared.name}-controller-0`;
const [first, second] = [0, 1].map((index) => `${shared.name}-default-${index}`) as [string, string];

/** Makes a worker's machine lose its certificate and its Node, like a replaced one, and join again with its token. */
async function joinAgain(node: string): Promise<void> {
    await shared.exec(node, `systemctl stop kubelet && rm -rf ${paths.kubeletPki}/* ${paths.kubeconfig}`);
    await shared.kubectl("delete", "node", node);
    await shared.exec(node, "systemctl start --no-block kubelet");
}

async function isNode(name: string): Promise<void> {
    const { items } = await shared.get<{ items: NodeObject[] }>("nodes");
    const node = items.find(({ metadata }) => metadata.name === name);
    assert.ok(node && isReady(node.status), `${name} is not Ready`);
}

// The shell that runs this must not match.
const approver = (signal: string) => shared.exec(controller, `pkill -${signal} -f '[n]ode-approver.js'`);

describe("an intruder with root on a worker and its token", function () {
    this.timeout(300_000);
    let path: string;

    before(async function () {
        this.timeout(600_000);
        await sharedCluster();
        path = kubeconfigBy(shared, await tokenOn(shared, first));
    });

    it("cannot become a controller, another worker or anything else, while a machine of the stack can join", async () => {
        const asked = {
            "the controller": await askToBe(path, controller),
            "a future controller": await askToBe(path, `${shared.name}-controller-1`),
            "another worker": await askToBe(path, second),
            "a future worker": await askToBe(path, `${shared.name}-default-2`),
            "an unknown node": await askToBe(path, "phantom"),
            "its own node, which is Ready": await askToBe(path, first),
            "an administrator": await askFor(path, "kubernetes-admin", "system:masters"),
        };
        try {
            await joinAgain(second);
            await eventually("the worker to join again", () => isNode(second), 180);
            // By then all have been checked again.
            await sleep(6_000);
            await assertLeft(shared, asked);
        } finally {
            await forget(shared, Object.values(asked));
        }
    });

    it("cannot become a worker whose machine is briefly down either", async () => {
        await shared.exec(second, "systemctl stop kubelet");
        await shared.kubectl("delete", "node", second);
        const asked = { "a worker that is down": await askToBe(path, second) };
        try {
            await sleep(8_000);
            await assertLeft(shared, asked);
        } finally {
            await forget(shared, Object.values(asked));
            await shared.exec(second, "systemctl start --no-block kubelet");
        }
        await eventually("the worker to register again", () => isNode(second), 120);
    });

    itLong("waits like everything else while no approver runs, and machines are admitted once it is back", async () => {
        await approver("STOP");
        const own = kubeconfigBy(shared, await tokenOn(shared, second));
        let request: string | undefined;
        try {
            await joinAgain(second);
            request = await askToBe(own, second);
            await sleep(8_000);
            assert.deepEqual(await answersTo(shared, [request]), { [request]: "" });
        } finally {
            // Otherwise this one might be admitted.
            if (request) await forget(shared, [request]);
            await approver("CONT");
        }
        // For two minutes after the last admission a name is reserved for that machine.
        await eventually("the worker to join again", () => isNode(second), 240);
    });

    it("leaves a worker whose pods have a network, though its Node has another address block", async () => {
        await isWhole({ cluster: shared, controllers: [controller], workers: [first, second] }, new Date(), 240);
    });
});
