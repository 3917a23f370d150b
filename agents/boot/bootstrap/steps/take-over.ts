import { list, patch, remove } from "../../../../clients/kubernetes/api-client";
import { describePassing, ifFound } from "../../../../clients/kubernetes/api-error";
import { eventsPath, leavingAnnotation, nodeEvent, warning } from "../../../../clients/kubernetes/nodes";
import type { ConfigMap, Node, Pod } from "../../../../clients/kubernetes/objects";
import { waitFor } from "../../../harness/wait";
import { demotionName } from "../../../nodes/demotion/plan";
import { memberLabel, takenOver } from "../../../nodes/promoter/plan";
import {
    type Controllers,
    controllersConfig,
    controllersKey,
    demotedKey,
    progressKey,
    readRecord,
} from "../../../nodes/promoter/record";
import { bootstrapComponent } from "../api-notice";
import type { Run, Step } from "../run";

const configs = "/api/v1/namespaces/kube-system/configmaps";
const pods = "/api/v1/namespaces/kube-system/pods";

/**
 * Records that this machine is the controller in place of the lost ones, and marks their Nodes: their machines must not
 * serve their older cluster when they return. First of all, before anything else acts in the restored cluster.
 *
 * Afterwards the record is node-promoter's: a run that was killed later must not undo what that did.
 */
export const takeOver: Step = {
    name: "take-over",
    run: async (run) => {
        const { recovery } = run.plan;
        if (recovery?.replaces === undefined) return "not requested";
        if (run.journal.wasStarted("start-controllers")) return "already recorded";
        let lost: readonly Node[] = [];
        await waitFor(run, "the record of controllers to be changed", async () => {
            try {
                lost = await replaceControllers(run, recovery.replaces ?? []);
                return undefined;
            } catch (error) {
                return describePassing(error);
            }
        });
        const names = lost.map(({ metadata }) => metadata.name);
        return `${run.plan.nodeName} is the controller in place of ${names.join(", ") || "none"}`;
    },
};

async function replaceControllers(run: Run, others: readonly string[]): Promise<readonly Node[]> {
    const { api, plan } = run;
    const path = `${configs}/${controllersConfig}`;
    const config = await ifFound(api.call<ConfigMap>(path));
    const record = config === undefined ? {} : readableRecord(config);
    const nodes = await Promise.all(others.map((name) => ifFound(api.call<Node>(`/api/v1/nodes/${name}`))));
    const lost = nodes.filter((node) => node !== undefined).filter((node) => wasController(run, node, record));
    const names = lost.map(({ metadata }) => metadata.name);
    // By merge: other keys are node-promoter's.
    const data = {
        [controllersKey]: JSON.stringify(newRecord(plan.nodeName, names, record)),
        ...Object.fromEntries(names.map((name) => [demotedKey(name), lostWhy])),
    };
    const dropped = { [demotedKey(plan.nodeName)]: null, [progressKey]: null };
    if (config !== undefined) await patch(api, path, "merge", { data: { ...data, ...dropped } });
    else await api.call(configs, { method: "POST", body: configMap(data) });
    for (const node of lost) await markLost(run, node);
    await keepOwn(run);
    return lost;
}

/** One that was edited by hand and cannot be read is replaced: labels say which nodes were controllers. */
function readableRecord(config: ConfigMap): Controllers {
    try {
        return readRecord(config);
    } catch {
        return {};
    }
}

/** If the snapshot is from when this machine was being cleaned up, that must not happen to its new member. */
async function keepOwn({ api, plan }: Run): Promise<void> {
    const metadata = { labels: { [memberLabel]: "joining" }, annotations: { [leavingAnnotation]: null } };
    // It may have joined after the snapshot.
    await ifFound(patch(api, `/api/v1/nodes/${plan.nodeName}`, "merge", { metadata }));
    const query = `labelSelector=k8s-app%3D${demotionName}&fieldSelector=spec.nodeName%3D${plan.nodeName}`;
    for (const pod of await list<Pod>(api, `${pods}?${query}`)) {
        await remove(api, `${pods}/${pod.metadata.name}?gracePeriodSeconds=0`);
    }
}

function configMap(data: object): object {
    return {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: controllersConfig, namespace: "kube-system" },
        data,
    };
}

const lostWhy = "lost, and another machine continued from a snapshot";

function newRecord(own: string, lost: readonly string[], record: Controllers): Controllers {
    const since = new Date().toISOString();
    const left = lost.map((name) => {
        const { excluded } = record[name] ?? {};
        return [name, { role: "leaving", since, why: lostWhy, ...(excluded && { excluded }) }] as const;
    });
    const why = `continued from a snapshot in place of ${lost.join(", ") || "no other controller"}`;
    return { ...record, ...Object.fromEntries(left), [own]: { role: "controller", since, why } };
}

/** When the snapshot was taken, or after it. */
function wasController(
    { plan }: Run,
    { metadata: { name, labels = {}, annotations = {} } }: Node,
    record: Controllers,
) {
    const role = Object.hasOwn(record, name) ? record[name]!.role : "candidate";
    const hasLabel = [...Object.keys(plan.controllerLabels), memberLabel].some((label) => label in labels);
    return role !== "candidate" || hasLabel || annotations[leavingAnnotation] === takenOver;
}

async function markLost({ api, plan }: Run, { metadata: { name, uid = "" } }: Node): Promise<void> {
    const labels = Object.fromEntries(Object.keys(plan.controllerLabels).map((label) => [label, null]));
    await patch(api, `/api/v1/nodes/${name}`, "merge", {
        metadata: { labels: { ...labels, [memberLabel]: "leaving" }, annotations: { [leavingAnnotation]: takenOver } },
    });
    const notice = warning("ControllerReplaced", `${plan.nodeName} is the controller in place of ${name}: ${lostWhy}`);
    const body = nodeEvent({ name, uid }, notice, { component: bootstrapComponent, host: plan.nodeName });
    // An Event is for people, and nothing depends on it.
    await api.call(eventsPath, { method: "POST", body }).catch(() => undefined);
}
