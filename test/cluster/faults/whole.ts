import assert from "node:assert/strict";
import { isReady, type Pod } from "../../../clients/kubernetes/objects";
import { isOver, isSuperseded } from "../../../local/pods";
import { images } from "../../../versions/images";
import { eventually } from "../cluster";
import type { Scene } from "./fault";
import { etcdIsWhole } from "./whole-etcd";

const components = ["kube-apiserver", "kube-controller-manager", "kube-scheduler"];
const staticPods = ["checkpoint-kube-system.checkpointer.json", "etcd.json"];
const probe = "fault-probe";
const resolves = ["busybox", "nslookup", "kubernetes.default.svc.cluster.local"];

interface Condition {
    readonly type: string;
    readonly status: string;
}

interface Named {
    readonly metadata: { readonly name: string; readonly generation: number };
}

/** Waits until the API responds through its load balancer. */
export async function apiAnswers({ cluster }: Scene, seconds = 240): Promise<void> {
    await eventually("the API", () => cluster.kubectl("get", "--raw", "/readyz", "--request-timeout=2s"), seconds);
}

/**
 * Waits until a cluster is healthy: every part of it reports so after the fault, and it still works: it starts a pod on
 * each node that resolves a name. The error names what is missing.
 */
export async function isWhole(scene: Scene, since: Date, seconds: number): Promise<void> {
    const deadline = Date.now() + seconds * 1000;
    const left = () => Math.max(1, Math.round((deadline - Date.now()) / 1000));
    await apiAnswers(scene, left());
    await eventually("nodes", () => nodesAreReady(scene, since), left());
    await eventually("leaders", () => leadersAreAtWork(scene, since), left());
    await eventually("etcd", () => etcdIsWhole(scene), left());
    await eventually("pods", () => podsAreReady(scene), left());
    await eventually("controllers", () => controllersServe(scene), left());
    await nodesWork(scene, since, left());
    // By now, anything that only looked ready because its status was outdated has been updated.
    await eventually("pods", () => podsAreReady(scene), left());
}

/**
 * Ready nodes; without a report since then a node looks Ready for a while. And none under pressure: its kubelet would
 * keep rejecting the probe's pod, and a DaemonSet waits longer after each, up to a quarter of an hour.
 */
async function nodesAreReady({ cluster, controllers, workers }: Scene, since: Date): Promise<void> {
    interface Node extends Named {
        readonly status: { readonly conditions: readonly Condition[] };
    }
    const { items } = await cluster.get<{ items: Node[] }>("nodes");
    assert.deepEqual(items.map(({ metadata }) => metadata.name).sort(), [...controllers, ...workers].sort());
    for (const { metadata, status } of items) {
        assert.ok(isReady(status), `${metadata.name} is Ready`);
        const pressure = status.conditions.filter((each) => each.type.endsWith("Pressure") && each.status !== "False");
        assert.deepEqual(pressure, [], `${metadata.name} is under no pressure`);
        await isRenewed({ cluster }, "kube-node-lease", metadata.name, since);
    }
}

async function leadersAreAtWork({ cluster }: Pick<Scene, "cluster">, since: Date): Promise<void> {
    for (const component of components.slice(1)) await isRenewed({ cluster }, "kube-system", component, since);
}

async function isRenewed({ cluster }: Pick<Scene, "cluster">, namespace: string, name: string, since: Date) {
    interface Lease {
        readonly spec: { readonly renewTime: string };
    }
    const { spec } = await cluster.get<Lease>("lease", name, "-n", namespace);
    const renewed = Date.parse(spec.renewTime);
    assert.ok(renewed > since.getTime(), `lease of ${name} renewed since (got ${spec.renewTime})`);
    // By a clock that was ahead it would look renewed for that long.
    assert.ok(renewed < Date.now() + 10_000, `lease of ${name} not renewed in the future (got ${spec.renewTime})`);
}

/** The pods that each parent should have, of its newest generation, and no other pod that is not Ready. */
async function podsAreReady({ cluster }: Scene): Promise<void> {
    interface DaemonSet extends Named {
        readonly status: Record<string, number>;
    }
    const { items: sets } = await cluster.get<{ items: DaemonSet[] }>("daemonsets", "-n", "kube-system");
    for (const { metadata, status } of sets) {
        // A number that is 0 is left out: a pool without machines has none.
        const { desiredNumberScheduled, updatedNumberScheduled = 0, numberAvailable = 0, observedGeneration } = status;
        const is = [observedGeneration, updatedNumberScheduled, numberAvailable];
        assert.deepEqual(is, [metadata.generation, desiredNumberScheduled, desiredNumberScheduled], metadata.name);
    }
    const { items: pods } = await cluster.get<{ items: Pod[] }>("pods", "-n", "kube-system");
    // A kubelet rejects pods that arrive while its machine shuts down, and their owner replaces them.
    const bad = pods.filter((pod) => !isOver(pod.status) && !isReady(pod.status) && !isSuperseded(pod, pods));
    assert.deepEqual(
        bad.map(({ metadata }) => metadata.name),
        [],
        "pods that are not Ready",
    );
    assert.ok(sets.length >= 5 && pods.length > sets.length);
}

/** Each controller serves the API itself, from API pods and not from copies. */
async function controllersServe({ cluster, controllers }: Scene): Promise<void> {
    for (const controller of controllers) {
        const files = await cluster.exec(controller, "ls /etc/kubernetes/manifests");
        assert.deepEqual(files.trim().split("\n").sort(), staticPods, `static pods of ${controller}`);
        assert.equal(await cluster.exec(controller, "curl -sk https://127.0.0.1:6443/readyz"), "ok", controller);
    }
}

/** A new pod on each node that resolves the API's name: the whole path from a controller to the network. */
async function nodesWork({ cluster }: Scene, since: Date, seconds: number): Promise<void> {
    await eventually("the probe", () => cluster.apply(probeOf(since)), seconds);
    const rollout = async () => {
        try {
            await cluster.kubectl("rollout", "status", `daemonset/${probe}`, "--timeout=20s");
        } catch (error) {
            throw new Error(`${(error as Error).message}\n${await describeProbe({ cluster })}`);
        }
    };
    await eventually("a new pod on each node", rollout, seconds);
}

/** What is known about pods that do not become Ready: their state, events, and what their probe prints. */
async function describeProbe({ cluster }: Pick<Scene, "cluster">): Promise<string> {
    const { items } = await cluster.get<{ items: Pod[] }>("pods", "-n", "default", "-l", `app=${probe}`);
    const bad = items.filter(({ status }) => !isReady(status)).map(({ metadata }) => metadata.name);
    const asked = bad.flatMap((name) => [
        cluster.kubectl("get", "pod", name, "-o", "wide", "--no-headers"),
        cluster.kubectl("get", "events", "--no-headers", "--field-selector", `involvedObject.name=${name}`),
        cluster.kubectl("exec", name, "--", ...resolves),
    ]);
    const answers = await Promise.allSettled([cluster.kubectl("get", "nodes", "--no-headers"), ...asked]);
    return answers.map((each) => (each.status === "fulfilled" ? each.value : String(each.reason))).join("\n");
}

function probeOf(since: Date): object {
    const container = {
        name: probe,
        image: images.busybox,
        command: ["busybox", "sleep", "infinity"],
        readinessProbe: { exec: { command: resolves }, periodSeconds: 5, timeoutSeconds: 5 },
    };
    const labels = { app: probe };
    return {
        apiVersion: "apps/v1",
        kind: "DaemonSet",
        metadata: { name: probe, namespace: "default" },
        spec: {
            selector: { matchLabels: labels },
            updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: "100%" } },
            template: {
                metadata: { labels, annotations: { since: since.toISOString() } },
                spec: {
                    terminationGracePeriodSeconds: 0,
                    automountServiceAccountToken: false,
                    tolerations: [{ operator: "Exists" }],
                    containers: [container],
                },
            },
        },
    };
}
