import { normal, warning } from "../../../clients/kubernetes/nodes";
import { type Action, wait } from "./action";
import type { Scene } from "./observed";

/** Seconds after which a candidate that has not become a controller is taken back. */
const mostSeconds = 300;

/** The next step of a candidate that becomes a controller. */
export function nextOfJoining(scene: Scene, name: string): Action {
    const lost = scene.withRole("controller").find((each) => isOverdue(scene, each));
    if (lost !== undefined && scene.member(name)?.isLearner !== false) {
        // etcd adds no member while another is down.
        return takeBack(name, `${lost} is lost and has to be replaced first`, false);
    }
    const problem = failure(scene, name);
    if (problem !== undefined) return takeBack(name, problem);
    const next = nextStep(scene, name);
    return next.do === "wait" && scene.stageSeconds(name) >= mostSeconds
        ? takeBack(name, `could not join within ${mostSeconds} s: ${next.why}`)
        : next;
}

function failure(scene: Scene, name: string): string | undefined {
    if (!scene.isPlanned(name)) return "no longer a candidate";
    return isOverdue(scene, name) ? `lost for ${scene.plan.replaceAfter} s while it joined` : undefined;
}

function isOverdue({ observed, plan }: Scene, name: string): boolean {
    return (observed.lostSeconds[name] ?? 0) >= plan.replaceAfter;
}

function takeBack(node: string, why: string, hasFailed = true): Action {
    const notice = warning("ControllerJoinFailed", `${node} is taken back: ${why}`);
    return { do: "write", node, entry: { role: "leaving", why, ...(hasFailed && { excluded: "failed" }) }, notice };
}

function nextStep(scene: Scene, name: string): Action {
    const [node, member, pods] = [scene.node(name), scene.member(name), scene.pods(name)];
    if (node === undefined) return wait(`${name} has no Node`);
    if (node.isLeaving) return { do: "patch-node", node: name, isLeaving: false };
    if (node.label !== "joining") return { do: "patch-node", node: name, label: "joining" };
    if (member === undefined || member.isLearner) {
        // It ran while the node had to have no member. It ends as a voter, which was observed after it.
        if (pods.join === "ended") return { do: "delete-join-pods", node: name };
        const what = member === undefined ? "has no member yet" : "receives etcd's data";
        return wait(pods.join === "none" ? `${name} has no etcd-join pod yet` : `${name} ${what}`);
    }
    if (!scene.isHealthy(member)) return wait(`the member of ${name} does not answer`);
    if (!node.isReady) return wait(`${name} is not Ready`);
    if (!node.hasRole) return { do: "patch-node", node: name, hasRole: true };
    if (!pods.servesApi) return wait(`kube-apiserver is not Ready on ${name}`);
    const why = scene.recorded(name)?.why ?? "a member of etcd";
    const notice = normal("ControllerPromoted", `${name} is a controller: ${why}`);
    return { do: "write", node: name, entry: { role: "controller", why }, notice };
}
