import { describeMember, votersAmong } from "../../../clients/etcd/members";
import { type Notice, normal } from "../../../clients/kubernetes/nodes";
import { type Action, wait } from "./action";
import { demotionProblem } from "./leaving";
import type { Scene } from "./observed";
import type { NodeRole } from "./record";

interface Start {
    readonly why: string;
    readonly excluded?: NodeRole["excluded"];
    /** An administrator asked for it. @default false */
    readonly endsRequest?: boolean;
    /** @default - that it starts, and why */
    readonly notice?: Notice;
}

/** Why a candidate cannot become a controller, whatever the others are. */
export function promotionProblem(scene: Scene, name: string): string | undefined {
    const node = scene.node(name);
    if (!scene.isPlanned(name)) return `${name} is not a candidate of the stack`;
    if (node === undefined) return `${name} has no Node`;
    if (!node.isReady) return `${name} is not Ready`;
    return node.isLeaving ? `${name} is being removed` : undefined;
}

/** etcd adds no member while a voter is down or there is a learner. */
function additionProblem({ observed: { members, health } }: Scene): string | undefined {
    const learner = members.find(({ isLearner }) => isLearner);
    if (learner !== undefined) return `${describeMember(learner)} is joining etcd`;
    const down = votersAmong(members).filter(({ ID }) => !health.healthy.has(ID));
    return down.length === 0 ? undefined : `${down.map(describeMember).join(", ")} must be healthy first`;
}

/** Records that a candidate becomes a controller, if it can now. */
export function startPromotion(scene: Scene, node: string, { why, endsRequest = false, notice }: Start): Action {
    const problem = promotionProblem(scene, node) ?? additionProblem(scene);
    if (problem !== undefined) return wait(`${node} cannot become a controller yet: ${problem}`);
    return {
        do: "write",
        node,
        entry: { role: "joining", why },
        endsRequest,
        notice: notice ?? normal("ControllerPromotion", `${node} becomes a controller: ${why}`),
    };
}

/** Records that a controller is demoted, if it can be now. */
export function startDemotion(scene: Scene, node: string, start: Start): Action {
    const { why, excluded, endsRequest = false, notice } = start;
    const problem = scene.isAdmitted(node) ? demotionProblem(scene, node) : `${node} has not joined etcd yet`;
    if (problem !== undefined) return wait(`${node} cannot be demoted yet: ${problem}`);
    return {
        do: "write",
        node,
        entry: { role: "leaving", why, ...(excluded && { excluded }) },
        endsRequest,
        notice: notice ?? normal("ControllerDemotion", `${node} is demoted: ${why}`),
    };
}
