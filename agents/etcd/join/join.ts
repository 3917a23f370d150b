import { EtcdClient, type Member } from "../../../clients/etcd/client";
import { describeMember, voterHealth } from "../../../clients/etcd/members";
import { probe } from "../../../clients/probe";
import { runSteps, type StepEvent, type Step as StepOf } from "../../harness/steps";
import { type Patience, tryUntil, waitFor } from "../../harness/wait";
import { memberCredentials } from "../member/files";
import { stopMember } from "../member/process";
import { installCertificates, installStaticPod, readDisk, staticPodPath } from "./disk";
import { type MemberState, memberState, removalProblem } from "./member-state";
import { defaultTimeouts, type EtcdJoinPlan, type StepName } from "./plan";

interface JoinOptions {
    readonly plan: EtcdJoinPlan;
    /** Directory of the member's certificates. */
    readonly source: string;
    /** Waits until no other agent works on this machine's member. @default - no lock */
    readonly lock?: () => Promise<unknown>;
    readonly log: (event: StepEvent) => void;
}

/** Makes this machine a voter of the cluster's etcd, or resumes a run that was killed. */
export async function join({ plan, source, lock, log }: JoinOptions): Promise<void> {
    const client = new EtcdClient(plan.endpoints, memberCredentials(source));
    const run = (some: readonly Step[]) =>
        runSteps<StepName, Run>(some, { plan, client, source }, defaultTimeouts, log);
    // Read-only, and fails while the others have no quorum: a restore that fixes this must not wait for the lock.
    await run([findCluster]);
    await lock?.();
    await run(steps.filter((step) => step !== findCluster));
}

/**
 * The machine's current state. Members are listed before the disk is read: a member listed with a name has already
 * written data.
 */
async function observeMember({ plan, client }: Run): Promise<{ members: readonly Member[]; state: MemberState }> {
    const members = await client.members();
    return { members, state: memberState(plan, members, readDisk(plan)) };
}

/** Context of every step. */
interface Run extends Patience {
    readonly plan: EtcdJoinPlan;
    readonly client: EtcdClient;
    /** Directory of the plan and its certificates. */
    readonly source: string;
}

type Step = StepOf<StepName, Run>;

/**
 * Removes members that have this machine's name or URL but whose data is missing: raft does not take back a member that
 * lost its log.
 */
const removeStaleMember: Step = {
    name: "remove-stale-member",
    run: async (run) => {
        const removed: string[] = [];
        await tryUntil(run, "the stale member of this machine to be removed", async () => {
            const { members, state } = await observeMember(run);
            const [stale] = state.kind === "stale" ? state.members : [];
            if (stale === undefined) {
                return undefined;
            }
            const problem = removalProblem(members, stale, await voterHealth(run.client, members));
            if (problem !== undefined) {
                return problem;
            }
            // A pod that lost its data must not start as the member that the cluster remembers.
            const { peerUrl: url } = run.plan;
            await stopMember(run, "the member without data to stop", { staticPod: staticPodPath(run.plan), url });
            await run.client.remove(stale.ID);
            removed.push(describeMember(stale));
            return `removed ${describeMember(stale)}; other members of the same name are left`;
        });
        return removed.length === 0 ? "none found" : `removed ${removed.join(", ")}`;
    },
};

/** Adds this machine's member as a learner: the cluster sends it the data before it gets a vote. */
const addLearner: Step = {
    name: "add-learner",
    run: async (run) => {
        let message = "already a member";
        await tryUntil(run, "the cluster to add this machine's member", async () => {
            const { members, state } = await observeMember(run);
            if (state.kind === "stale") {
                return "it was replaced by a member without data";
            }
            if (state.kind !== "absent") {
                return undefined;
            }
            try {
                await run.client.addLearner(run.plan.peerUrl);
            } catch (error) {
                return `${(error as Error).message}${await explanation(run, members)}`;
            }
            message = `added a learner at ${run.plan.peerUrl}`;
            return undefined;
        });
        return message;
    },
};

/** etcd refuses to add a learner while a voter is down or there is another learner, and does not say which one. */
async function explanation({ client }: Run, members: Parameters<typeof voterHealth>[1]): Promise<string> {
    const { problems } = await voterHealth(client, members);
    const learners = members.filter(({ isLearner }) => isLearner).map(({ name, peerURLs }) => name || peerURLs?.[0]);
    const reasons = [...problems, ...learners.map((learner) => `${learner} is still a learner`)];
    return reasons.length === 0 ? "" : ` (${reasons.join("; ")})`;
}

/** A quorum answers through some controller. */
const findCluster: Step = {
    name: "find-cluster",
    run: async (run) => {
        let message = "";
        await tryUntil(run, `the etcd cluster behind ${run.plan.endpoints.join(", ")}`, async () => {
            const { members, state } = await observeMember(run);
            message = `members: ${members.map(describeMember).join(", ")}; this machine: ${state.kind}`;
            return undefined;
        });
        return message;
    },
};

/** Writes the member's certificates and static pod to this machine's disk. */
const installMember: Step = {
    name: "install-member",
    run: async (run) => {
        const installed: string[] = [];
        await tryUntil(run, "the members for the initial cluster", async () => {
            const { members } = await observeMember(run);
            installed.push(...installCertificates(run.plan, run.source));
            if (installStaticPod(run.plan, initialCluster(run.plan, members))) {
                installed.push("static pod");
            }
            return undefined;
        });
        return installed.length === 0 ? "already in place" : `wrote ${installed.join(", ")}`;
    },
};

/** etcd compares the URLs with those of its peers, and uses the names only to find itself. */
export function initialCluster({ name, peerUrl }: Pick<EtcdJoinPlan, "name" | "peerUrl">, members: readonly Member[]) {
    return members
        .flatMap(({ ID, name: other, peerURLs = [] }) =>
            peerURLs.map((url) => `${url === peerUrl ? name : other || ID}=${url}`),
        )
        .join(",");
}

/** Updates the peer URL of the member whose data is on this disk, even if the machine and its address are new. */
const moveMember: Step = {
    name: "move-member",
    run: async (run) => {
        let message = "its peer URL is up to date";
        await tryUntil(run, "the cluster to have the current peer URL of this machine's member", async () => {
            const { state } = await observeMember(run);
            if (state.kind === "moved") {
                await run.client.update(state.member.ID, run.plan.peerUrl);
                message = `${describeMember(state.member)} is at ${run.plan.peerUrl} now`;
            }
            return undefined;
        });
        return message;
    },
};

/** Promotes the member to a voter. etcd allows it only when the learner is nearly in sync with the leader. */
const promote: Step = {
    name: "promote",
    run: async (run) => {
        let message = "already a voter";
        await tryUntil(run, `${run.plan.name} to be in sync with the leader and a voter`, async () => {
            const { state } = await observeMember(run);
            if (state.kind !== "joined") {
                return `the cluster does not list this machine's member: ${state.kind}`;
            }
            if (!state.member.isLearner) {
                return undefined;
            }
            await run.client.promote(state.member.ID);
            message = "promoted the learner to a voter";
            return undefined;
        });
        return message;
    },
};

/** Waits until the member answers linearizable reads, which need a quorum. */
const waitUntilHealthy: Step = {
    name: "wait-until-healthy",
    run: async (run) => {
        const url = `${run.plan.healthUrl}/readyz`;
        await waitFor(run, "this machine's member to be ready", () => probe(url));
        return `${url} is ok`;
    },
};

/** Waits until the process on this machine serves as the member that the cluster added. */
const waitUntilServing: Step = {
    name: "wait-until-serving",
    run: async (run) => {
        const { name, clientUrl } = run.plan;
        await tryUntil(run, `the pod etcd-${name} on this machine to serve`, async () => {
            const { header } = await run.client.status(clientUrl);
            const { state } = await observeMember(run);
            if (state.kind !== "joined") {
                return `the member that serves here has no data on this disk: ${state.kind}`;
            }
            return header.member_id === state.member.ID
                ? undefined
                : `${clientUrl} serves as a member other than the added one; its data is from an earlier member`;
        });
        return `${clientUrl} serves`;
    },
};

/** Each step derives what is left to do from the cluster and the disk, so there is no journal that could be wrong. */
const steps: readonly Step[] = [
    findCluster,
    removeStaleMember,
    moveMember,
    addLearner,
    installMember,
    waitUntilServing,
    promote,
    waitUntilHealthy,
];
