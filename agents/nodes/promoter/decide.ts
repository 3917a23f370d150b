import { warning } from "../../../clients/kubernetes/nodes";
import { type Action, idle, wait } from "./action";
import { nextOfJoining } from "./joining";
import { nextOfCleaning, nextOfLeaving, takesPart } from "./leaving";
import { type Observed, Scene } from "./observed";
import type { NodePromoterPlan } from "./plan";
import { decideRequest } from "./requests";
import { promotionProblem, startDemotion, startPromotion } from "./starts";

/** Seconds between a change of any node's role and the next replacement. */
const spacingSeconds = 120;

/** Seconds for which a candidate that failed to join is not tried again. */
const failedSeconds = 600;

/**
 * The next thing to do. One node changes at a time; the disks of others that were controllers are cleaned up meanwhile.
 *
 * It follows from the record and what is observed alone: after each kill, the next run continues.
 */
export function decide(observed: Observed, plan: NodePromoterPlan): Action {
    const scene = new Scene(observed, plan);
    const leaving = scene.withRole("leaving");
    const changing = [
        ...leaving.filter((name) => takesPart(scene, name)).map((name) => nextOfLeaving(scene, name)),
        ...scene.withRole("joining").map((name) => decideRequest(scene, name) ?? nextOfJoining(scene, name)),
    ];
    const cleaning = leaving.filter((name) => !takesPart(scene, name)).map((name) => nextOfCleaning(scene, name));
    const [first] = changing;
    if (first !== undefined && first.do !== "wait") return first;
    const aside = [...cleaning, ...scene.withRole("candidate").map((name) => nextOfCandidate(scene, name))];
    const upkeep = [...aside, ...scene.withRole("controller").map((name) => nextOfController(scene, name))];
    const due = upkeep.find((action) => action !== undefined && action.do !== "wait");
    return due ?? first ?? decideChange(scene);
}

/** A candidate has no member, and none of the labels of a controller. */
function nextOfCandidate(scene: Scene, name: string): Action | undefined {
    const node = scene.node(name);
    const recorded = scene.recorded(name);
    if (takesPart(scene, name)) {
        const { excluded } = recorded ?? {};
        const why = "a candidate that took part in the control plane";
        const notice = warning("ControllerDemotion", `${name} is demoted: ${why}`);
        return { do: "write", node: name, entry: { role: "leaving", why, ...(excluded && { excluded }) }, notice };
    }
    if (node?.label !== undefined) return { do: "patch-node", node: name, label: null, isLeaving: false };
    return scene.isPlanned(name) ? undefined : { do: "write", node: name };
}

/** A promoted node that was deleted registers again without its labels. If the record was lost, it is recorded again. */
function nextOfController(scene: Scene, name: string): Action | undefined {
    const node = scene.node(name);
    const isRecorded = scene.recorded(name) !== undefined;
    const wasPromoted = isRecorded || scene.isCandidate(name);
    if (node === undefined || node.isLeaving || !scene.isPlanned(name) || !wasPromoted) return;
    if (node.label !== "joining") return { do: "patch-node", node: name, label: "joining" };
    const isToServe = node.isReady && !node.hasRole && scene.isHealthy(scene.member(name));
    if (isToServe) return { do: "patch-node", node: name, hasRole: true };
    if (isRecorded || !scene.isServing(name)) return undefined;
    return { do: "write", node: name, entry: { role: "controller", why: "a member of etcd" } };
}

/** What to change, if no change is under way. */
function decideChange(scene: Scene): Action {
    const asked = [...new Set([...scene.names, ...Object.keys(scene.observed.requests)])];
    const options = [...asked.map((name) => decideRequest(scene, name)), replaceLost(scene), fillUp(scene)];
    const found = options.filter((each) => each !== undefined);
    return found.find((each) => each.do !== "wait") ?? found[0] ?? idle("nothing to change");
}

function replaceLost(scene: Scene): Action | undefined {
    const { lostSeconds } = scene.observed;
    const { replaceAfter } = scene.plan;
    const lost = scene.withRole("controller").filter((name) => scene.isLost(name));
    const overdue = lost.filter((name) => (lostSeconds[name] ?? 0) >= replaceAfter);
    const [name] = overdue;
    if (name === undefined) return lost.length > 0 ? wait(`${lost.join(", ")} may come back`) : undefined;
    if (nextCandidate(scene) === undefined) return wait(`${name} is lost, and no candidate can replace it`);
    const recent = Object.values(scene.observed.record).some((entry) => isWithin(scene, entry.since, spacingSeconds));
    if (recent) return wait(`${name} is lost, but a role has changed in the last ${spacingSeconds} s`);
    const why = `lost for ${replaceAfter} s`;
    const notice = warning("ControllerReplaced", `${name} is replaced by a candidate: ${why}`);
    return startDemotion(scene, name, { why, notice });
}

/** Promotes a candidate if there are fewer controllers than the stack wants. */
function fillUp(scene: Scene): Action | undefined {
    const controllers = scene.withRole("controller");
    if (controllers.length >= scene.plan.count) return undefined;
    const missing = `${controllers.length} of ${scene.plan.count} controllers exist`;
    const name = nextCandidate(scene);
    if (name === undefined) return wait(`${missing}, and no candidate can become one`);
    return startPromotion(scene, name, { why: whyFilled(scene) ?? missing });
}

/** `instead of c-controller-1 (lost for 60 s)` */
function whyFilled({ observed: { record } }: Scene): string | undefined {
    const [last] = Object.entries(record)
        .filter(([, { role, excluded }]) => (role === "leaving" || role === "candidate") && excluded !== "failed")
        .sort(([, one], [, other]) => Date.parse(other.since) - Date.parse(one.since));
    return last && `instead of ${last[0]} (${last[1].why})`;
}

/** The stack's own controllers first, then by name. */
function nextCandidate(scene: Scene): string | undefined {
    const { requests } = scene.observed;
    const [next] = scene
        .withRole("candidate")
        .filter((name) => {
            const { excluded, since } = scene.recorded(name) ?? {};
            const failed = excluded === "failed" && isWithin(scene, since!, failedSeconds);
            const isFree = excluded !== "requested" && requests[name] !== "demote" && !failed;
            return isFree && !scene.node(name)?.isCordoned && promotionProblem(scene, name) === undefined;
        })
        .sort((one, other) => Number(scene.isCandidate(one)) - Number(scene.isCandidate(other)));
    return next;
}

/** A clock that was ahead must not delay changes for longer than a correct one. */
function isWithin({ observed }: Scene, since: string, seconds: number): boolean {
    return Math.abs(observed.now - Date.parse(since)) < seconds * 1000;
}
