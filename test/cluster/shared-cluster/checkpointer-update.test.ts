import assert from "node:assert/strict";
import { isReady } from "../../../clients/kubernetes/objects";
import { powerCut } from "../../../machines";
import { itLong } from "../../takes-long";
import { eventually } from "../cluster";
import { shared, sharedCluster } from "../shared";

const controller = `${shared.name}-controller-0`;
const name = "TRADEWIND_TEST";
const system = ["-n", "kube-system"];

interface Pod {
    readonly metadata: { readonly name: string };
    readonly spec: { readonly containers: readonly { readonly env?: readonly { readonly name: string }[] }[] };
    readonly status: { readonly phase: string; readonly conditions?: { type: string; status: string }[] };
}

/** Like another release. */
const update = (variable: string) => shared.kubectl(...system, "set", "env", "daemonset/checkpointer", variable);
const rolledOut = (seconds: number) =>
    shared.kubectl(...system, "rollout", "status", "daemonset/checkpointer", `--timeout=${seconds}s`);
const isIn = (text: string) => text.includes(`"${name}"`);
const hasCopy = async () =>
    isIn(await shared.exec(controller, "cat /etc/kubernetes/manifests/checkpoint-kube-system.checkpointer.json"));
const newPod = async (hasVariable: boolean) =>
    (await shared.get<{ items: Pod[] }>(...system, "pods", "-l", "k8s-app=checkpointer")).items.find(
        (pod) => isIn(JSON.stringify(pod.spec)) === hasVariable && pod.status.phase === "Running",
    );

describe("an updated checkpointer", function () {
    this.timeout(900_000);

    before(() => sharedCluster());

    itLong("is Ready when its copy is up to date, and quickly so after a power cut", async () => {
        const start = performance.now();
        const took = (what: string, since = start) =>
            console.log(`      ${what} after ${((performance.now() - since) / 1000).toFixed(1)} s`);
        try {
            await update(`${name}=1`);
            await rolledOut(180);
            took("its copy is up to date");
            assert.ok(await hasCopy());

            await update(`${name}-`);
            await eventually("the next one", async () => {
                const pod = await newPod(false);
                assert.ok(pod);
                assert.ok(!isReady(pod.status), "it waits until its copy is up to date");
            });
            const cut = performance.now();
            await powerCut(shared.name, controller);
            await eventually("the API", () => shared.kubectl("get", "--raw", "/readyz", "--request-timeout=2s"), 120);
            await rolledOut(180);
            took("it is Ready", cut);
            assert.ok(await hasCopy(), "the interrupted one has not proved to work yet");

            await shared.kubectl(...system, "delete", "pod", (await newPod(false))!.metadata.name);
            await rolledOut(180);
            assert.ok(!(await hasCopy()));
        } finally {
            await update(`${name}-`);
            await rolledOut(180);
        }
        await shared.pulumi("preview", "--expect-no-changes");
    });
});
