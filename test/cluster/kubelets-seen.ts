import assert from "node:assert/strict";
import { eventually, type TestCluster } from "./cluster";

/** Each kubelet of a machine: whether it has the lock or waits for it, and where it runs. */
const script = `
place() { if grep -q kubepods "/proc/$1/cgroup"; then echo pod; else echo host; fi; }
for pid in $(pgrep -x kubelet); do
    case $(grep ": .*FLOCK .* $pid " /proc/locks) in
        *'->'*) echo "waits $(place $pid)" ;;
        *FLOCK*) echo "holds $(place $pid)" ;;
        *) echo "free $(place $pid)" ;;
    esac
done`;

/** The state at 0-4: the pod's kubelet works, the host's waits. */
export const podsWork: readonly string[] = ["holds pod", "waits host"];

/** The kubelets of a node, such as `podsWork`. */
export async function kubeletsOn(cluster: TestCluster, node: string): Promise<string[]> {
    return (await cluster.exec(node, script)).split("\n").filter(Boolean).sort();
}

/**
 * Waits until a node's kubelets are in that state and one of them is healthy, and logs how long that took from now on.
 */
export async function untilKubelets(
    cluster: TestCluster,
    node: string,
    what: string,
    expected: readonly string[],
): Promise<void> {
    const start = performance.now();
    await eventually(`${node}: ${what}`, async () => {
        assert.deepEqual(await kubeletsOn(cluster, node), expected);
        await cluster.exec(node, "curl -sf -m 1 http://127.0.0.1:10248/healthz");
    });
    console.log(`      ${node}: ${what} after ${((performance.now() - start) / 1000).toFixed(1)} s`);
}

/** The flags of a node's kubelet that runs as a pod. */
export function podsFlags(cluster: TestCluster, node: string): Promise<string> {
    return cluster.exec(node, "cat /proc/$(cat /run/kubelet-pod.pid)/cmdline | tr '\\0' ' '");
}
