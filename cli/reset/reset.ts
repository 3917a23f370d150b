import { setTimeout as sleep } from "node:timers/promises";
import { readJoined, writeJoined } from "../../agents/nodes/approver/joined";
import { isEvictable, podsOn } from "../../agents/nodes/removal/pods";
import { type ApiClient, list, patch, remove } from "../../clients/kubernetes/api-client";
import { describeError, describePassing, ifFound, isTransient } from "../../clients/kubernetes/api-error";
import { type ConfigMap, isReady, type Node, nameOf, type Pod } from "../../clients/kubernetes/objects";
import { evict } from "../../clients/kubernetes/pods";
import { controllerLabel } from "../../cluster/labels";
import { resetAnnotation, resetProgram } from "../../cluster/machines/reset";
import { desiredNodesName } from "../../cluster/manifests/nodes/desired-nodes";
import { removeToken } from "../join-token/request";
import { resetPod } from "./pod";

const system = "/api/v1/namespaces/kube-system";

export interface Reset {
    readonly node: string;
    /** Of the drain. */
    readonly timeoutSeconds: number;
    /** Whether the machine is given up without a drain. */
    readonly isLost: boolean;
    /** Shows what happens. */
    readonly log: (line: string) => void;
    /** @default 1000 */
    readonly everyMilliseconds?: number;
    /** How long the machine may take to clean itself. @default 300 */
    readonly cleanSeconds?: number;
}

/**
 * Removes a machine that joined by a token from its cluster, and everything of the cluster from the machine. It finds out
 * by itself what is left to do, so it can be repeated.
 *
 * @returns what it is then. @throws if it may not be removed, or is not
 */
export async function resetNode(api: ApiClient, reset: Reset): Promise<string> {
    const { node, isLost } = reset;
    const [{ machines }, found] = await Promise.all([readJoined(api), readNode(api, node)]);
    const machine = Object.hasOwn(machines, node) ? machines[node]! : undefined;
    if (machine === undefined) throw new Error(await whyForeign(api, node, found));
    if (machine.joined === undefined) {
        throw new Error(`${node} has not joined yet; tradewind join-token ${node} --revoke ends its token`);
    }
    const isClean = found ? found.metadata.annotations?.[resetAnnotation] !== undefined : machine.reset !== undefined;
    if (found === undefined && !isLost && !isClean) {
        throw new Error(`the Node ${node} was deleted, and its machine may still run. ${silent(node)}`);
    }
    if (found !== undefined && !isClean) {
        if (isLost) {
            if (isReady(found.status)) throw new Error(`${node} is Ready: reset it without --lost`);
        } else {
            if (!isReady(found.status)) throw new Error(`${node} is not Ready. ${silent(node)}`);
            await cordon(api, node);
            reset.log(`cordoned ${node}`);
            await drain(api, reset);
            await clean(api, reset);
        }
    }
    const given = isLost && !isClean;
    // Its Node, which says so, is deleted before the record.
    if (!given) await writeJoined(api, { [node]: { ...machine, reset: new Date().toISOString() } });
    await remove(api, `/api/v1/nodes/${node}`);
    await removeToken(api, machine);
    await writeJoined(api, { [node]: given ? { removed: new Date().toISOString() } : null });
    return given
        ? `${node} is no node any more, and cannot register again. If its machine starts again, run there, as root:\n  ${command}`
        : `${node} is no node any more, and nothing of the cluster is left on its machine`;
}

/** Takes its arguments from its unit. */
const command = "systemctl start reset-machine.service";

function silent(node: string): string {
    return `The cluster cannot clean the machine of ${node}. Run there, as root: ${command} (it runs ${resetProgram}); then repeat this command. If the machine is lost: tradewind reset ${node} --lost`;
}

function readNode(api: ApiClient, node: string): Promise<Node | undefined> {
    return ifFound(api.call<Node>(`/api/v1/nodes/${node}`));
}

async function whyForeign(api: ApiClient, node: string, found: Node | undefined): Promise<string> {
    const desired = await ifFound(api.call<ConfigMap>(`${system}/configmaps/${desiredNodesName}`));
    const pool = desired?.data?.[node];
    if (found?.metadata.labels?.[controllerLabel] !== undefined || pool === "controller") {
        return `${node} is a controller: change controllers.count to remove it, or see tradewind demote`;
    }
    if (pool === undefined && found === undefined) return `there is no Node ${node}`;
    return `${node} is a machine of the stack: make its pool smaller to remove it, or replace it with pulumi up --replace`;
}

async function cordon(api: ApiClient, node: string): Promise<void> {
    await patch(api, `/api/v1/nodes/${node}`, "merge", { spec: { unschedulable: true } });
}

/** Evicts pods within their disruption budgets. Pods of DaemonSets end with the machine. */
async function drain(api: ApiClient, reset: Reset): Promise<void> {
    const { node, timeoutSeconds, log, everyMilliseconds = 1000 } = reset;
    const deadline = performance.now() + timeoutSeconds * 1000;
    const next = `It stays cordoned: repeat this command, perhaps with a longer --timeout, or kubectl uncordon ${node}`;
    let shown = "";
    for (;;) {
        const line = await evictAll(api, node).catch((error: Error) => {
            // The API may be restarting.
            if (isTransient(error)) return `waiting for the API: ${describeError(error)}`;
            throw new Error(`${node} was not drained: ${describeError(error)}. ${next}`);
        });
        if (line === undefined) return;
        if (line !== shown) log(`draining: ${line}`);
        shown = line;
        if (performance.now() > deadline) {
            throw new Error(`${node} was not drained within ${timeoutSeconds} s: ${line}. ${next}`);
        }
        await sleep(everyMilliseconds);
    }
}

/** @returns what its pods do, or undefined if none is left */
async function evictAll(api: ApiClient, node: string): Promise<string | undefined> {
    const pods = (await podsOn(api, node)).filter(isEvictable);
    if (pods.length === 0) return undefined;
    const left = await Promise.all(
        pods.map(async (pod) => `${nameOf(pod)} ${isEnding(pod) ? "is terminating" : await evict(api, pod)}`),
    );
    return left.sort().join("; ");
}

function isEnding({ metadata }: Pod): boolean {
    return metadata.deletionTimestamp !== undefined;
}

/** Makes the machine clean itself, and waits until it reports that: its kubelet cannot. */
async function clean(api: ApiClient, reset: Reset): Promise<void> {
    const { node, log } = reset;
    const agents = await list<Pod>(
        api,
        `${system}/pods?labelSelector=k8s-app%3Dnode-agent&fieldSelector=spec.nodeName%3D${node}`,
    );
    // That image is on the machine.
    const image = agents[0]?.spec.containers[0]?.image;
    if (image === undefined) throw new Error(`${node} has no node-agent; run on its machine, as root: ${command}`);
    const { metadata } = await api.call<Pod>(`${system}/pods`, { method: "POST", body: resetPod(node, image) });
    log("cleaning the machine: its kubelet and containers stop, its certificates and state are removed");
    const path = `${system}/pods/${metadata.name}`;
    const withdraw = () => remove(api, path, { gracePeriodSeconds: 0 });
    await untilClean(api, reset).catch(async (error: Error) => {
        // A machine that does not run it now must not be cleaned hours later, when it is in use again.
        await withdraw().catch(() => {
            throw new Error(
                `${error.message}. Otherwise delete the pod kube-system/${metadata.name}: it resets the machine`,
            );
        });
        throw error;
    });
    await withdraw();
}

async function untilClean(api: ApiClient, reset: Reset): Promise<void> {
    const { node, everyMilliseconds = 1000, cleanSeconds = 300 } = reset;
    const deadline = performance.now() + cleanSeconds * 1000;
    for (let problem = ""; ; await sleep(everyMilliseconds)) {
        try {
            if ((await readNode(api, node))?.metadata.annotations?.[resetAnnotation] !== undefined) return;
        } catch (error) {
            problem = ` (${describePassing(error)})`;
        }
        if (performance.now() > deadline) {
            throw new Error(
                `${node} did not report within ${cleanSeconds} s that its machine is clean${problem}. ${silent(node)}`,
            );
        }
    }
}
