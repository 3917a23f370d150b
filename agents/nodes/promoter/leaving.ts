import { normal, warning } from "../../../clients/kubernetes/nodes";
import { departureProblem } from "../removal/members";
import { type Action, wait } from "./action";
import type { Scene } from "./observed";

/** Seconds for which its agents may take to end in order. What is left of them is removed from its disk later. */
const mostSeconds = { checkpoints: 120, controlPlane: 300 };

/** Seconds after which a demotion that must not go on is given up. */
const blockedSeconds = 30;

/** Whether a leaving node still takes part in the control plane. After that only its disk is cleaned up. */
export function takesPart(scene: Scene, name: string): boolean {
    return scene.member(name) !== undefined || scene.node(name)?.hasRole === true;
}

/** Why a controller must not be demoted now, or undefined. */
export function demotionProblem(scene: Scene, name: string): string | undefined {
    const { members, health } = scene.observed;
    const others = scene.withRole("controller").filter((other) => other !== name);
    if (!others.some((other) => scene.isServing(other))) return `no controller but ${name} is Ready`;
    const learner = members.find((each) => each.isLearner && each !== scene.member(name));
    if (learner !== undefined) return `${learner.name || learner.peerURLs?.[0]} is joining etcd`;
    const member = scene.member(name);
    return member && departureProblem(members, member, health);
}

/** The next step of a controller that is demoted, while it takes part in the control plane. */
export function nextOfLeaving(scene: Scene, name: string): Action {
    const [node, member, pods] = [scene.node(name), scene.member(name), scene.pods(name)];
    const isUp = node?.isReady === true;
    const problem = demotionProblem(scene, name);
    if (problem !== undefined) {
        const isSound = isUp && scene.isHealthy(member);
        return isSound && scene.stageSeconds(name) >= blockedSeconds ? giveUp(name, problem) : wait(problem);
    }
    const { leader } = scene.observed.health;
    if (member !== undefined && member.ID === leader) return { do: "move-leader", node: name };
    if (node !== undefined && !node.isLeaving) return { do: "patch-node", node: name, isLeaving: true };
    if (node?.label === "joining") return { do: "patch-node", node: name, label: null, endsJoin: true };
    if (isUp && node.hasRole && node.checkpoints && scene.stageSeconds(name) < mostSeconds.checkpoints) {
        return wait(node.checkpoints);
    }
    if (node?.hasRole) return { do: "patch-node", node: name, hasRole: false };
    if (isUp && pods.controlPlane.length > 0 && scene.stageSeconds(name) < mostSeconds.controlPlane) {
        return wait(`${pods.controlPlane.join(", ")} must end on ${name}`);
    }
    return { do: "remove-member", node: name, ID: member!.ID };
}

function giveUp(node: string, problem: string): Action {
    const why = `stays, because ${problem}`;
    const notice = warning("ControllerDemotionGivenUp", `${node} ${why}`);
    return { do: "write", node, entry: { role: "joining", why }, notice };
}

/** The next step of cleaning up a node that was a controller. A lost one waits for its return. */
export function nextOfCleaning(scene: Scene, name: string): Action {
    const node = scene.node(name);
    if (node === undefined) {
        return scene.isPlanned(name) ? wait(`${name} has no Node`) : { do: "write", node: name };
    }
    if (node.label !== "leaving") return { do: "patch-node", node: name, label: "leaving", isLeaving: true };
    if (!node.isReady || !scene.pods(name).isClean) return wait(`the disk of ${name} is not cleaned up yet`);
    const { why, excluded } = scene.recorded(name) ?? { why: "had the label of a node that leaves" };
    const notice = normal("ControllerDemoted", `${name} is a candidate: ${why}`);
    return { do: "write", node: name, entry: { role: "candidate", why, ...(excluded && { excluded }) }, notice };
}
