import { describePassing, ifFound, isNotFound } from "../../../../clients/kubernetes/api-error";
import { hasEnded, leasePath, release } from "../../../../clients/kubernetes/ended-leader";
import type { Lease, Version } from "../../../../clients/kubernetes/objects";
import { isStatic } from "../../../../clients/kubernetes/pods";
import { isRefused, probe } from "../../../../clients/probe";
import { stopCopy } from "../../../checkpointer/static-pods";
import { waitFor } from "../../../harness/wait";
import {
    apiserverOf,
    checkpointOf,
    controllersOf,
    isStarted,
    parentOf,
    restartKubelet,
    startFromCheckpoint,
    writeCheckpoints,
} from "../checkpoints";
import type { SelfHostedComponent } from "../plan";
import type { Run, Step } from "../run";
import { podsOn } from "../self-hosted";

/** Writes the checkpoints of the self-hosted control plane, from which the kubelet runs it without an API. */
export const writeAllCheckpoints: Step = {
    name: "write-checkpoints",
    run: async ({ plan, state }) => {
        if (!state.needsCopies) {
            return "not needed";
        }
        const written = writeCheckpoints(plan).length;
        const left = plan.selfHosted.length - written;
        return `${written} written to ${plan.directories.checkpoints}${left > 0 ? `, ${left} kept: they were saved from running pods` : ""}`;
    },
};

/** Starts kube-apiserver from its checkpoint. */
export const startApiserver: Step = {
    name: "start-apiserver",
    run: (run) => start(run, [apiserverOf(run.plan)]),
};

/**
 * Starts the other components from their checkpoints.
 *
 * Only once the API serves: they would retry it at growing intervals, the scheduler every 10 s and more in the end. So
 * does a kubelet with its Node. It is restarted first, since a restart would delay the components.
 */
export const startControllers: Step = {
    name: "start-controllers",
    run: async (run) => {
        const { plan, state, api } = run;
        if (state.needsCopies && (await isUnregistered(api, plan.nodeName))) {
            restartKubelet(plan);
            run.state = { ...state, isKubeletRestarted: true };
        }
        const started = await start(run, controllersOf(plan));
        return run.state.isKubeletRestarted ? `${started}; restarted the kubelet, which registers its Node` : started;
    },
};

async function isUnregistered(api: Run["api"], node: string): Promise<boolean> {
    return api.call(`/api/v1/nodes/${node}`).then(() => false, isNotFound);
}

async function start({ plan, state }: Run, components: readonly SelfHostedComponent[]): Promise<string> {
    if (!state.needsCopies) {
        return "not needed";
    }
    const started = components.filter((component) => startFromCheckpoint(plan, component));
    return started.length > 0 ? `from checkpoint: ${names(started)}` : `already started: ${names(components)}`;
}

function names(components: readonly SelfHostedComponent[]): string {
    return components.map(({ name }) => name).join(", ");
}

/**
 * Waits until kube-apiserver's copy serves, and the address through which everything on this machine reaches it.
 *
 * In a recovery its pod may have come back by itself: then the checkpointer stops the copy.
 */
export const waitForApi: Step = {
    name: "wait-for-api",
    run: async (run) => {
        const { plan, state } = run;
        if (state.needsCopies) {
            const { port, probe: path } = apiserverOf(plan);
            const { address } = checkpointOf(plan, apiserverOf(plan));
            await waitFor(run, "kube-apiserver", async () =>
                isStarted(plan, apiserverOf(plan)) ? probe(`https://${address}:${port}${path}`) : undefined,
            );
        }
        let version = "";
        await waitFor(run, `the API at ${plan.apiServer}`, async () => {
            try {
                version = await ask(run);
                return undefined;
            } catch (error) {
                return describePassing(error);
            }
        });
        return `${plan.apiServer} serves Kubernetes ${version}`;
    },
};

async function ask({ api }: Run): Promise<string> {
    await api.call("/readyz", { isFresh: true, timeoutMilliseconds: 2_000 });
    // /readyz needs no credentials; this shows that ours work.
    return (await api.call<Version>("/version")).gitVersion;
}

/**
 * Stops the copies, without waiting until kube-apiserver's has drained: the checkpointer would stop them two seconds
 * later, and starts them again if their pods fail.
 */
export const stopCopies: Step = {
    name: "stop-copies",
    run: async (run) => {
        const { plan } = run;
        const { staticPods } = plan.directories;
        const stopped = plan.selfHosted.filter((component) => stopCopy(staticPods, parentOf(component)));
        const manager = plan.selfHosted.find(({ name }) => name === "kube-controller-manager");
        const released = manager === undefined ? "" : await releaseLease(run, manager);
        return stopped.length > 0 ? `stopped ${names(stopped)}${released}` : `already stopped${released}`;
    },
};

/**
 * Releases the lease of the copy once it has ended: it does not do so itself, and its successor would wait for 15
 * seconds, in which no pod is created.
 */
async function releaseLease(run: Run, manager: SelfHostedComponent): Promise<string> {
    const { api, plan } = run;
    const { address } = checkpointOf(plan, manager);
    let isReleased = false;
    await waitFor(run, `the copy of ${manager.name} to end`, async () => {
        if (!(await isRefused(address ?? "", manager.port))) return `${address}:${manager.port} accepts connections`;
        try {
            const lease = await ifFound(api.call<Lease>(leasePath));
            // The copy's mirror pod may outlive it.
            const pods = (await podsOn(api, manager.namespace, plan.nodeName)).filter((pod) => !isStatic(pod));
            isReleased = lease !== undefined && hasEnded(lease, pods);
            if (isReleased) await release(api, lease!);
            return undefined;
        } catch (error) {
            return describePassing(error);
        }
    });
    return isReleased ? `; released the lease of ${manager.name}` : "";
}
