import assert from "node:assert/strict";
import { list } from "../../../machines";
import type { Scene } from "./fault";

/** Maximum delay in seconds of a response, or of a clock with a resolution of seconds. */
const late = 20;

const apiserver = "https://127.0.0.1:6443/readyz";
/** It rejects clients without a certificate, but its response has the time. */
const kubelet = "https://127.0.0.1:10250/healthz";

/** Processes on a machine, and the API of a controller, report a time this far ahead of ours. */
export async function tellsTime(scene: Scene, machine: string, seconds: number): Promise<void> {
    const isController = scene.controllers.includes(machine);
    for (const url of isController ? [kubelet, apiserver] : [kubelet]) {
        const headers = await scene.cluster.exec(machine, `curl -sk --max-time 5 -o /dev/null -D - ${url}`);
        isAhead(url, /^date: (.*)$/im.exec(headers)?.[1], seconds);
    }
    const { spec } = await scene.cluster.get<{ spec: { renewTime: string } }>(
        "lease",
        machine,
        "-n",
        "kube-node-lease",
    );
    isAhead("the node's lease", spec.renewTime, seconds);
    if (isController) await makesObjects(scene, machine, seconds);
}

/** An object can be created by that controller's API, and its timestamp matches the clock. */
async function makesObjects({ cluster }: Scene, machine: string, seconds: number): Promise<void> {
    const name = `made-by-${machine}`;
    const there = await serverOf(cluster.name, machine);
    await cluster.kubectl("delete", "configmap", name, "--ignore-not-found", ...there);
    const made = JSON.parse(await cluster.kubectl("create", "configmap", name, "-o", "json", ...there));
    isAhead("an object", made.metadata.creationTimestamp, seconds);
    await cluster.kubectl("delete", "configmap", name, ...there);
}

/** kubectl options: one controller's API instead of the one that the load balancer picks. */
export async function serverOf(cluster: string, machine: string): Promise<readonly string[]> {
    const { address } = (await list(cluster)).find(({ name }) => name === machine)!;
    return [`--server=https://${address}:6443`, "--tls-server-name=kubernetes"];
}

/** The kubelet has reported its node's status since, by our clock. */
export async function hasToldSince({ cluster }: Scene, machine: string, since: Date): Promise<void> {
    interface Node {
        readonly status: {
            readonly conditions: readonly { readonly type: string; readonly lastHeartbeatTime: string }[];
        };
    }
    const { status } = await cluster.get<Node & { metadata: { name: string } }>("node", machine);
    const reported = status.conditions.find(({ type }) => type === "Ready")?.lastHeartbeatTime;
    const isSince =
        reported !== undefined && new Date(reported) > since && Date.parse(reported) < Date.now() + late * 1000;
    assert.ok(isSince, `status of ${machine} reported since ${since.toISOString()} (got ${reported})`);
}

function isAhead(what: string, reported: string | undefined, seconds: number): void {
    const ahead = (Date.parse(reported ?? "") - Date.now()) / 1000;
    // The lease is up to ten seconds old, or more while the kubelet is busy.
    assert.ok(
        Math.abs(ahead - seconds) < 2 * late,
        `${what} is ${seconds} s ahead (got ${reported}): ${ahead.toFixed(0)} s`,
    );
}
