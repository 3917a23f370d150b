import { isController, isReachable, listLeaving, type Node, patchNode } from "../nodes";
import { isPlacedByLabel, isStandIn, podName, podsOn } from "../pods";
import type { Run, Step } from "../run";
import { tryApiUntil } from "../try-until";

/** No control plane runs on the controllers that leave, nor a copy of it: it ended as in a rollout, and its clients went elsewhere. */
export const releaseControlPlane: Step = {
    name: "release-control-plane",
    run: async (run) => {
        const released: string[] = [];
        await tryApiUntil(run, "the control plane to end on the controllers that leave", async () => {
            const leaving = (await listLeaving(run)).filter((node) => isController(run.plan, node));
            for (const { metadata } of leaving.filter((node) => hasRole(run, node))) {
                await patchNode(run.api, metadata.name, { metadata: { labels: { [run.plan.controllerLabel]: null } } });
                released.push(metadata.name);
            }
            const pods = await Promise.all(leaving.filter(isReachable).map((node) => controlPlaneOn(run, node)));
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
    return pods.filter((pod) => isPlacedByLabel(pod, plan.controllerLabel) || isStandIn(pod)).map(podName);
}
