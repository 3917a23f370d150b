import type { Action } from "./action";
import type { Scene } from "./observed";
import { startDemotion, startPromotion } from "./starts";

const why = "requested by an administrator";

/** What follows from an administrator's request for this node, if there is one. */
export function decideRequest(scene: Scene, node: string): Action | undefined {
    const request = scene.observed.requests[node];
    if (request === undefined) return undefined;
    const drop = (reason: string): Action => ({ do: "drop-request", node, why: `${node}: ${reason}` });
    if (request !== "promote" && request !== "demote") return drop(`a request must be promote or demote`);
    if (!scene.names.includes(node)) return drop("it is neither a controller nor a candidate of the stack");
    return request === "promote" ? promotion(scene, node, drop) : demotion(scene, node, drop);
}

type Drop = (reason: string) => Action;

function promotion(scene: Scene, node: string, drop: Drop): Action | undefined {
    const role = scene.role(node);
    if (role === "controller" || role === "joining") return drop("it is a controller, or becomes one");
    if (!scene.isPlanned(node)) return drop("it is not a candidate of the stack");
    // One that leaves is cleaned up first.
    return role === "candidate" ? startPromotion(scene, node, { why, endsRequest: true }) : undefined;
}

function demotion(scene: Scene, node: string, drop: Drop): Action | undefined {
    const role = scene.role(node);
    const excluded = "requested";
    if (role === "controller") {
        const isLast = scene.withRole("controller").length === 1;
        return isLast
            ? drop("it is the last controller; promote another node first")
            : startDemotion(scene, node, { why, excluded, endsRequest: true });
    }
    // It stays, or leaves, and is not chosen again.
    const next = role === "candidate" ? "candidate" : "leaving";
    return { do: "write", node, entry: { role: next, why, excluded }, endsRequest: true };
}
