import { existsSync, readFileSync } from "node:fs";
import { EtcdClient } from "../../../clients/etcd/client";
import { othersProblem, voterHealth } from "../../../clients/etcd/members";
import { turnProblem } from "../../../clients/etcd/turn";
import { describeError } from "../../../clients/kubernetes/api-error";
import { isRefused } from "../../../clients/probe";
import { isLocked } from "../../harness/lock";
import { type Patience, waitFor } from "../../harness/wait";
import { memberCredentials } from "../member/files";
import { leadElsewhere, oneOfSeveral } from "../member/leader";
import { flagsOf, handBackLock, isStandbyCommand } from "../member/runner";
import { defaultMissingSeconds, type EtcdPodPlan } from "./plan";

/** Seconds in which no other member may be taken over. A hand-over takes one or two. */
const turnSeconds = 20;

/**
 * Waits until the API-managed pod may take over its machine's member, and returns the member's flags.
 *
 * While the member serves, that is when the others have quorum without it and no other is being taken over. A member
 * that is down anyway is taken over at once.
 */
export async function awaitTurn(plan: EtcdPodPlan, report: (message: string) => void): Promise<readonly string[]> {
    const { staticPod, images, pki, data, stoppedSeconds = defaultMissingSeconds } = plan;
    // Without a deadline: the machine's own member serves in the meantime.
    const patience: Patience = { deadline: Infinity, report };
    let flags: readonly string[] = [];
    let stoppedSince: number | undefined;
    const observe = async (): Promise<string | undefined> => {
        const member = readOwnMember(staticPod, images);
        if (typeof member === "string") return member;
        if (await isLocked(handBackLock(data))) return "an agent is working on the machine's member";
        flags = member.flags;
        if (await isStopped(member)) {
            stoppedSince ??= performance.now();
            const seconds = (performance.now() - stoppedSince) / 1000;
            return seconds < stoppedSeconds ? "the machine's member does not listen" : undefined;
        }
        stoppedSince = undefined;
        const client = new EtcdClient([member.clientUrl], memberCredentials(pki));
        return canDoWithout(client, member, report);
    };
    const observeSafely = () => observe().catch(describeError);
    await waitFor(patience, "this pod's turn", observeSafely, { everyMilliseconds: 500, slowTo: 2_000 });
    return flags;
}

function isStopped({ healthUrl }: OwnMember): Promise<boolean> {
    const { hostname, port } = new URL(healthUrl);
    return isRefused(hostname, Number(port));
}

/** Why the others can't do without a member now, or undefined: then it is its turn and another one leads. */
async function canDoWithout(
    client: EtcdClient,
    { name }: OwnMember,
    report: (message: string) => void,
): Promise<string | undefined> {
    const { isAlone, problem } = await observeOthers(client, name);
    if (isAlone || problem !== undefined) return problem;
    const notYet = await turnProblem(client, name, turnSeconds);
    if (notYet !== undefined) return notYet;
    const patience = { deadline: performance.now() + (turnSeconds / 2) * 1000, report };
    await leadElsewhere(client, oneOfSeveral(name), patience);
    // The previous holder of the turn may still have been in progress.
    return (await observeOthers(client, name)).problem;
}

async function observeOthers(client: EtcdClient, name: string): Promise<{ isAlone: boolean; problem?: string }> {
    const members = await client.members();
    const isAlone = members.every((member) => member.name === name);
    if (members.some((member) => member.name === name && member.isLearner)) {
        return { isAlone, problem: `${name} is still a learner` };
    }
    return isAlone
        ? { isAlone }
        : { isAlone, problem: othersProblem(name, members, await voterHealth(client, members)) };
}

/** The machine's own member, as in its static pod. */
interface OwnMember {
    readonly name: string;
    readonly flags: readonly string[];
    readonly clientUrl: string;
    /** Its health URL, reachable only on its machine. */
    readonly healthUrl: string;
}

/** The member that the API-managed pod is to run, or why there is none. */
function readOwnMember(staticPod: string, images: string): OwnMember | string {
    const text = existsSync(staticPod) ? readFileSync(staticPod, "utf8") : "{}";
    return ownMember(JSON.parse(text).spec?.containers?.[0]?.command, images);
}

/** @param command - of the machine's own member, if there is one @param images - of this pod */
export function ownMember(command: readonly string[] | undefined, images: string): OwnMember | string {
    if (command === undefined) {
        return "the machine has no member";
    }
    if (!isStandbyCommand(command)) {
        return "the machine's member does not give way to API-managed pods";
    }
    if (command[4] !== images) {
        return `the machine's member has images ${command[4]}, this pod has ${images}`;
    }
    const flags = flagsOf(command);
    const flag = (name: string) =>
        flags.find((each) => each.startsWith(`--${name}=`))?.slice(name.length + "--=".length) ?? "";
    return {
        name: flag("name"),
        flags,
        clientUrl: flag("advertise-client-urls"),
        healthUrl: flag("listen-metrics-urls"),
    };
}
