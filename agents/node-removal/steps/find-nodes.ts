import { describeMember, voterHealth } from "../../common/etcd-members";
import { tryUntil } from "../../common/etcd-try";
import { leavingAnnotation } from "../../common/leaving";
import { departuresProblem, leavingMembers } from "../members";
import { leavingNodes, listNodes, type Node, namesOf, patchNode } from "../nodes";
import type { Run, Step } from "../run";
import { tryApiUntil } from "../try-until";

/** The API and a majority of etcd answer, and say who is there that is not wanted. */
export const findNodes: Step = {
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
            // Before anything is stopped: those who stay have to be able to go on.
            const health = await voterHealth(run.etcd, leaving.length === 0 ? [] : members);
            const problem = departuresProblem(members, leaving, health);
            if (problem === undefined) {
                found.push(...leaving.map((member) => `etcd member ${describeMember(member)}`));
            }
            return problem;
        });
        return found.length === 0 ? "nobody has to leave" : `to be removed: ${found.join(", ")}`;
    },
};

/** A node whose removal was begun and that is wanted again gets pods again. */
async function takeBack({ api, plan }: Run, nodes: readonly Node[]): Promise<void> {
    const wantedAgain = nodes.filter(
        ({ metadata }) =>
            plan.wanted.includes(metadata.name) && metadata.annotations?.[leavingAnnotation] !== undefined,
    );
    for (const { metadata } of wantedAgain) {
        const body = { metadata: { annotations: { [leavingAnnotation]: null } }, spec: { unschedulable: null } };
        await patchNode(api, metadata.name, body);
    }
    if (wantedAgain.length > 0) {
        console.log(`schedulable again: ${namesOf(wantedAgain)}`);
    }
}
