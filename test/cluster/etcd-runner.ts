import assert from "node:assert/strict";
import { eventually, type TestCluster } from "./cluster";

/** What runs an etcd member at 1-4: the pod, the machine's static pod, or at 2-4 nothing with a name. */
export type Runner = "etcd-pod" | "etcd-standby" | "";

/** What started a controller's member. Its script has recognizable lines. */
export async function etcdRunner(cluster: TestCluster, controller: string): Promise<string> {
    const told = await cluster.exec(
        controller,
        `parent=$(awk '/^PPid/ { print $2 }' "/proc/$(pgrep -x etcd)/status"); tr '\\0' '\\n' <"/proc/$parent/cmdline" | grep -x 'etcd-pod\\|etcd-standby' || true`,
    );
    return told.trim();
}

/** Waits until this one runs a controller's member and it serves, and logs how long that took from now on. */
export async function untilRunBy(
    cluster: TestCluster,
    controller: string,
    what: string,
    expected: Runner,
    seconds = 120,
): Promise<void> {
    const start = performance.now();
    await eventually(
        `${controller}: ${what}`,
        async () => {
            assert.equal(await etcdRunner(cluster, controller), expected);
            await cluster.exec(controller, "curl -sf -m 1 http://127.0.0.1:2381/readyz");
        },
        seconds,
    );
    console.log(`      ${controller}: ${what} after ${((performance.now() - start) / 1000).toFixed(1)} s`);
}
