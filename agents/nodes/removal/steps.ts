import { describeMember, voterHealth } from "../../../clients/etcd/members";
import { remove } from "../../../clients/kubernetes/api-client";
import { isLost, leavingAnnotation } from "../../../clients/kubernetes/nodes";
import { type Node, nameOf, namesOf, type Pod } from "../../../clients/kubernetes/objects";
import { evict } from "../../../clients/kubernetes/pods";
import { leadElsewhere } from "../../etcd/member/leader";
import { tryApiUntil, tryUntil } from "../../harness/wait";
import { departureProblem, departuresProblem, leavingMembers, nextToGo } from "./members";
import { checkpointsOf, isController, leavingNodes, listLeaving, listNodes, patchNode } from "./nodes";
import type { Run, Step } from "./plan";
import { isEvictable, isPlacedByLabel, isStandIn, podsOn } from "./pods";

/** Lists what to remove, once the API and a majority of etcd answer. */
const findNodes: Step = {
    name: "find-nodes",
    run: async (run) => {
        const found: string[] = [];
        await tryApiUntil(run, "the API to list the nodes", async () => {
            const nodes = await listNodes(run.api);
            await takeBack(run, nodes);
            found.push(...leavingNodes(run.plan, nodes).map(({ metadata }) => `node ${metadata.name}`));
            return undefined;
        });
        await tryUntil(run, `the etcd cluster behind ${run.plan.etcd.endpoints.join(", ")}`, async () => {
            const members = await run.etcd.members();
            const leaving = leavingMembers(run.plan, members);
            // Before anything is stopped: the remaining members must be able to continue.
            const health = await voterHealth(run.etcd, leaving.length === 0 ? [] : members);
            const problem = departuresProblem(members, leaving, health);
            if (problem === undefined) {
                found.push(...leaving.map((member) => `etcd member ${describeMember(member)}`));
            }
            return problem;
        });
        return found.length === 0 ? "nothing to remove" : `to be removed: ${found.join(", ")}`;
    },
};

/** Uncordons nodes that are desired again after their removal had begun. */
async function takeBack({ api, plan }: Run, nodes: readonly Node[]): Promise<void> {
    const returning = nodes.filter(
        ({ metadata }) =>
            plan.desired.includes(metadata.name) && metadata.annotations?.[leavingAnnotation] !== undefined,
    );
    for (const { metadata } of returning) {
        const body = { metadata: { annotations: { [leavingAnnotation]: null } }, spec: { unschedulable: null } };
        await patchNode(api, metadata.name, body);
    }
    if (returning.length > 0) {
        console.log(`uncordoned: ${namesOf(returning)}`);
    }
}

/** Cordons all nodes to be removed at once, so that pods of one are not scheduled on the next. */
const cordon: Step = {
    name: "cordon",
    run: async (run) => {
        let message = "not needed";
        await tryApiUntil(run, "the nodes to be cordoned", async () => {
            const leaving = await listLeaving(run);
            for (const { metadata } of leaving) {
                const body = {
                    metadata: { annotations: { [leavingAnnotation]: "true" } },
                    spec: { unschedulable: true },
                };
                await patchNode(run.api, metadata.name, body);
            }
            message = leaving.length === 0 ? message : `cordoned: ${namesOf(leaving)}`;
            return undefined;
        });
        return message;
    },
};

/** Deletes the nodes from the API, so that nothing sends pods or packets there any more. */
const deleteNodes: Step = {
    name: "delete-nodes",
    run: async (run) => {
        let message = "not needed";
        await tryApiUntil(run, "the nodes to be deleted", async () => {
            const leaving = await listLeaving(run);
            await Promise.all(leaving.map(({ metadata }) => remove(run.api, `/api/v1/nodes/${metadata.name}`)));
            message = leaving.length === 0 ? message : `deleted ${namesOf(leaving)}`;
            return undefined;
        });
        return message;
    },
};

/** Drains the nodes, within disruption budgets. */
const drain: Step = {
    name: "drain",
    run: async (run) => {
        const logged = new Set<string>();
        await tryApiUntil(run, "the pods of these nodes to end", async () => {
            const nodes = await listLeaving(run);
            const left = (await Promise.all(nodes.map((node) => drainNode(run, node)))).flat();
            for (const { pod } of left) {
                logged.add(pod);
            }
            return left.length === 0 ? undefined : left.map(({ pod, state }) => `${pod} ${state}`).join("; ");
        });
        return logged.size === 0 ? "no pods to evict" : `evicted ${[...logged].join(", ")}`;
    },
};

/** Evicts what may be evicted, and returns what is left and in which state. */
async function drainNode({ api }: Run, node: Node): Promise<{ pod: string; state: string }[]> {
    const pods = (await podsOn(api, node.metadata.name)).filter(isEvictable);
    const isEnding = ({ metadata }: Pod) => metadata.deletionTimestamp !== undefined;
    // Nothing confirms the end of a pod on a lost machine.
    const left = isLost(node) ? pods.filter((pod) => !isEnding(pod)) : pods;
    return Promise.all(
        left.map(async (pod) => ({ pod: nameOf(pod), state: isEnding(pod) ? "terminating" : await evict(api, pod) })),
    );
}

/** Removes the checkpoints on the controllers, so that nothing is restarted there once the control plane ends. */
const forgetCheckpoints: Step = {
    name: "forget-checkpoints",
    run: async (run) => {
        let message = "not needed";
        await tryApiUntil(run, "the checkpointers of these controllers to delete their checkpoints", async () => {
            const controllers = (await listLeaving(run)).filter((node) => isController(run.plan, node));
            // The disk of a lost machine can't be checked.
            const reachable = controllers.filter((node) => !isLost(node));
            message = reachable.length === 0 ? message : `no checkpoints left on ${namesOf(reachable)}`;
            return reachable.flatMap((node) => checkpointsOf(node) ?? []).join("; ") || undefined;
        });
        return message;
    },
};

/** Moves the etcd leadership to a member that stays. */
const moveLeader: Step = {
    name: "move-leader",
    run: (run) => leadElsewhere(run.etcd, (members) => leavingMembers(run.plan, members), run),
};

/** Ends the control plane and its copies on the controllers as in a rollout, with their clients moved elsewhere. */
const releaseControlPlane: Step = {
    name: "release-control-plane",
    run: async (run) => {
        const released: string[] = [];
        await tryApiUntil(run, "the control plane to end on these controllers", async () => {
            const leaving = (await listLeaving(run)).filter((node) => isController(run.plan, node));
            for (const { metadata } of leaving.filter((node) => hasRole(run, node))) {
                await patchNode(run.api, metadata.name, { metadata: { labels: { [run.plan.controllerLabel]: null } } });
                released.push(metadata.name);
            }
            const pods = await Promise.all(
                leaving.filter((node) => !isLost(node)).map((node) => controlPlaneOn(run, node)),
            );
            return pods.flat().join(", ") || undefined;
        });
        return released.length === 0 ? "not needed" : `no control plane on ${released.join(", ")}`;
    },
};

function hasRole({ plan }: Run, { metadata }: Node): boolean {
    return metadata.labels?.[plan.controllerLabel] !== undefined;
}

async function controlPlaneOn({ api, plan }: Run, { metadata }: Node): Promise<string[]> {
    const pods = await podsOn(api, metadata.name);
    return pods.filter((pod) => isPlacedByLabel(pod, plan.controllerLabel) || isStandIn(pod)).map(nameOf);
}

/** Removes the etcd members that are no longer desired, one at a time, and none while quorum would be lost. */
const removeMembers: Step = {
    name: "remove-members",
    run: async (run) => {
        const removed: string[] = [];
        await tryUntil(run, "the members to be removed", async () => {
            const members = await run.etcd.members();
            const leaving = leavingMembers(run.plan, members);
            const health = await voterHealth(run.etcd, leaving.length === 0 ? [] : members);
            const leaver = nextToGo(leaving, health);
            if (leaver === undefined) {
                return undefined;
            }
            const problem = departureProblem(members, leaver, health);
            if (problem !== undefined) {
                return problem;
            }
            await run.etcd.remove(leaver.ID);
            removed.push(describeMember(leaver));
            return `removed ${describeMember(leaver)}, ${leaving.length - 1} left`;
        });
        return removed.length === 0 ? "not needed" : `removed ${removed.join(", ")}`;
    },
};

/** Each step derives what is left to do from the API and etcd, so there is no journal that could be wrong. */
export const steps: readonly Step[] = [
    findNodes,
    cordon,
    drain,
    forgetCheckpoints,
    releaseControlPlane,
    moveLeader,
    removeMembers,
    deleteNodes,
];
