import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { patch } from "../../../../clients/kubernetes/api-client";
import { describePassing, isNotFound } from "../../../../clients/kubernetes/api-error";
import type { Node } from "../../../../clients/kubernetes/objects";
import { waitFor } from "../../../harness/wait";
import { applyGroups, isMissing } from "../apply";
import { restartKubelet } from "../checkpoints";
import { readManifests } from "../manifests";
import { readPivotRecord } from "../pivot-record";
import { addonsOrder } from "../plan";
import type { Run, Step } from "../run";
import { componentProblem, podsOn } from "../self-hosted";

const unregistered = "the kubelet has not registered it yet";

/** Makes this machine's Node a controller, so that the self-hosted pods are scheduled there. */
export const labelNode: Step = {
    name: "label-node",
    run: async (run) => {
        const { nodeName, controllerLabels } = run.plan;
        if (run.state.pivotedAt !== undefined && !run.plan.recovery) {
            return "not needed";
        }
        let restarted = "";
        await waitFor(run, `Node ${nodeName} to register`, async () => {
            const problem = await label(run);
            if (problem === unregistered && restarted === "" && !run.state.isKubeletRestarted) {
                // One that started before the API ends up retrying every 7 s. A new one tries at once.
                restartKubelet(run.plan);
                restarted = "; its kubelet was restarted to register at once";
            }
            return problem;
        });
        if (run.plan.recovery && restarted === "") {
            // Its retries have backed off to once in half a minute by now.
            restartKubelet(run.plan);
            restarted = "; its kubelet was restarted to find its pods at once";
        }
        return `${nodeName} is a controller: ${Object.keys(controllerLabels).join(", ")}${restarted}`;
    },
};

async function label({ api, plan }: Run): Promise<string | undefined> {
    const { nodeName, controllerLabels, fieldManager, kubeletIdentity } = plan;
    const path = `/api/v1/nodes/${nodeName}`;
    if (kubeletIdentity !== undefined && !existsSync(kubeletIdentity)) {
        return "its kubelet does not have its provider ID yet";
    }
    try {
        if (kubeletIdentity !== undefined && (await isOfAnotherMachine(api, path, kubeletIdentity))) {
            await api.call(path, { method: "DELETE" });
            return unregistered;
        }
        await patch(api, `${path}?fieldManager=${fieldManager}`, "merge", { metadata: { labels: controllerLabels } });
        return undefined;
    } catch (error) {
        return isNotFound(error) ? unregistered : describePassing(error);
    }
}

/**
 * Whether the Node belongs to a machine that this one replaces. Its provider ID can't be changed, and a kubelet does
 * not change addresses set by a cloud controller: the control plane would use those of the old machine.
 */
async function isOfAnotherMachine(api: Run["api"], path: string, kubeletIdentity: string): Promise<boolean> {
    const { spec } = await api.call<Node>(path);
    const { providerID } = JSON.parse(readFileSync(kubeletIdentity, "utf8"));
    return spec?.providerID !== undefined && spec.providerID !== providerID;
}

/**
 * Applies the add-ons once the control plane serves, which needs none of them.
 *
 * On a small machine their images and processes would slow it down.
 */
export const applyAddons: Step = {
    name: "apply-addons",
    run: async (run) => {
        const { recovery } = run.plan;
        if (run.state.pivotedAt !== undefined && !recovery) {
            return "not needed";
        }
        const groups = readManifests(join(run.plan.directories.assets, "manifests"));
        return await applyGroups(
            run,
            groups.filter(({ order }) => order >= addonsOrder),
            recovery && isMissing,
        );
    },
};

/**
 * Applies the self-hosted control plane, unless the cluster has pivoted: its objects belong to the stack then. In a
 * recovery, only the objects that are missing.
 */
export const applyManifests: Step = {
    name: "apply-manifests",
    run: async (run) => {
        await findPivot(run);
        const { recovery } = run.plan;
        if (run.state.pivotedAt !== undefined && !recovery) {
            return `not applied again: the cluster pivoted at ${run.state.pivotedAt}`;
        }
        const groups = readManifests(join(run.plan.directories.assets, "manifests"));
        return await applyGroups(
            run,
            groups.filter(({ order }) => order < addonsOrder),
            recovery && isMissing,
        );
    },
};

/** The API may not have been up when the run first checked. */
async function findPivot(run: Run): Promise<void> {
    await waitFor(run, "the pivot record, or its absence", async () => {
        try {
            const record = await readPivotRecord(run.api);
            run.state = { ...run.state, pivotedAt: record && (record.pivotedAt ?? "an unknown time") };
            return undefined;
        } catch (error) {
            return describePassing(error);
        }
    });
}

/** Waits until each of the new processes on this machine serves. */
export const waitForSelfHosted: Step = {
    name: "wait-for-self-hosted",
    run: async (run) => {
        await waitFor(run, "the self-hosted control plane", () => observe(run), { everyMilliseconds: 200 });
        return run.plan.selfHosted.map(({ name }) => name).join(", ");
    },
};

async function observe({ api, plan, state }: Run): Promise<string | undefined> {
    try {
        const namespaces = [...new Set(plan.selfHosted.map(({ namespace }) => namespace))];
        const pods = new Map(
            await Promise.all(
                namespaces.map(async (namespace) => [namespace, await podsOn(api, namespace, plan.nodeName)] as const),
            ),
        );
        const isPivoted = state.pivotedAt !== undefined || plan.recovery !== undefined;
        const problems = await Promise.all(
            plan.selfHosted.map((component) =>
                componentProblem(api, component, pods.get(component.namespace) ?? [], isPivoted),
            ),
        );
        return problems.filter(Boolean).join("; ") || undefined;
    } catch (error) {
        return describePassing(error);
    }
}
