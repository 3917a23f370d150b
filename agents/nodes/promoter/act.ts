import { list, patch, remove } from "../../../clients/kubernetes/api-client";
import { describeError } from "../../../clients/kubernetes/api-error";
import { eventsPath, leavingAnnotation, type Notice, nodeEvent, warning } from "../../../clients/kubernetes/nodes";
import type { Pod } from "../../../clients/kubernetes/objects";
import { etcdJoinApp } from "../../etcd/join/plan";
import { leadElsewhere } from "../../etcd/member/leader";
import { patchNode } from "../removal/nodes";
import type { Action, PatchNode, Wait, Write } from "./action";
import type { Clients, Config, Observation } from "./observe";
import { memberLabel, nodePromoterName } from "./plan";
import { controllersConfig, controllersKey, demotedKey, progressKey, requestKey } from "./record";

const system = "/api/v1/namespaces/kube-system";
const configPath = `${system}/configmaps/${controllersConfig}`;

/** For another member to take over the lead. Unit: milliseconds. */
const leadMilliseconds = 20_000;

export interface Actor extends Clients {
    readonly log: (line: string) => void;
}

/**
 * Does one thing. Writes fail if their object has changed since it was observed: then something else acted, and the next
 * run decides again.
 *
 * @returns what was done, for the log
 */
export async function act(actor: Actor, action: Exclude<Action, Wait>, observation: Observation): Promise<string> {
    const { api, etcd } = actor;
    switch (action.do) {
        case "write":
            return write(actor, action, observation);
        case "drop-request": {
            const data = { [requestKey(action.node)]: null, [progressKey]: action.why };
            await patchConfig(actor, observation.config, data);
            await report(actor, observation, action.node, warning("ControllerRequestRefused", action.why));
            return `dropped a request: ${action.why}`;
        }
        case "patch-node":
            return patchOne(actor, action, observation);
        case "delete-join-pods":
            await deleteJoinPods(actor, action.node);
            return `${action.node}: etcd-join runs again`;
        case "move-leader": {
            const patience = { deadline: performance.now() + leadMilliseconds, report: actor.log };
            const moved = await leadElsewhere(etcd, (all) => all.filter(({ name }) => name === action.node), patience);
            return `the lead of etcd: ${moved}`;
        }
        case "remove-member": {
            // It may have been given up in the meantime.
            const { metadata } = await api.call<Config>(configPath);
            if (metadata.resourceVersion !== observation.config.metadata.resourceVersion)
                return "the record has changed";
            await etcd.remove(action.ID);
            return `removed the member of ${action.node}`;
        }
    }
}

async function write(actor: Actor, action: Write, observation: Observation): Promise<string> {
    const { node, entry, endsRequest, notice } = action;
    const { config, observed } = observation;
    const { [node]: _, ...others } = observed.record;
    const since = new Date().toISOString();
    const record = entry === undefined ? others : { ...others, [node]: { ...entry, since } };
    const isDemoted = entry?.role === "leaving" || entry?.role === "candidate";
    await patchConfig(actor, config, {
        [controllersKey]: JSON.stringify(record),
        [demotedKey(node)]: isDemoted ? entry.why : null,
        ...(endsRequest && { [requestKey(node)]: null }),
    });
    if (notice !== undefined) await report(actor, observation, node, notice);
    return entry === undefined ? `${node} is forgotten` : `${node} is ${entry.role}: ${entry.why}`;
}

async function patchConfig({ api }: Actor, { metadata }: Config, data: object): Promise<void> {
    await patch(api, configPath, "merge", { metadata: { resourceVersion: metadata.resourceVersion }, data });
}

async function patchOne(actor: Actor, action: PatchNode, { nodes }: Observation): Promise<string> {
    const { node, label, hasRole, isLeaving, endsJoin } = action;
    if (endsJoin) await deleteJoinPods(actor, node);
    const { resourceVersion } = nodes.get(node)!.metadata;
    const labels = {
        ...(label !== undefined && { [memberLabel]: label }),
        ...(hasRole !== undefined && { [actor.plan.controllerLabel]: hasRole ? "" : null }),
    };
    const annotations = isLeaving === undefined ? {} : { [leavingAnnotation]: isLeaving ? "true" : null };
    await patchNode(actor.api, node, { metadata: { resourceVersion, labels, annotations } });
    const changes = Object.entries({ ...labels, ...annotations }).map(
        ([key, value]) => `${key}=${value ?? "(removed)"}`,
    );
    return `${node}: ${changes.join(", ")}`;
}

async function deleteJoinPods({ api }: Actor, node: string): Promise<void> {
    const query = `labelSelector=k8s-app%3D${etcdJoinApp}&fieldSelector=spec.nodeName%3D${node}`;
    const pods = await list<Pod>(api, `${system}/pods?${query}`);
    await Promise.all(pods.map(({ metadata }) => remove(api, `${system}/pods/${metadata.name}`)));
}

/** An Event tells a person, and nothing depends on it. */
async function report(actor: Actor, { nodes }: Observation, name: string, notice: Notice): Promise<void> {
    const uid = nodes.get(name)?.metadata.uid;
    if (uid === undefined) return;
    try {
        const body = nodeEvent({ name, uid }, notice, { component: nodePromoterName });
        await actor.api.call(eventsPath, { method: "POST", body });
    } catch (error) {
        actor.log(`no Event could be written about ${name}: ${describeError(error)}`);
    }
}

/** Shows what a change waits for, to administrators. */
export async function writeProgress({ api }: Clients, { data = {} }: Config, text: string | undefined): Promise<void> {
    if (data[progressKey] === text) return;
    await patch(api, configPath, "merge", { data: { [progressKey]: text ?? null } });
}
