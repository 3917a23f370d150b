import { EtcdClient, type Member } from "../../../clients/etcd/client";
import { describeMember, voterHealth } from "../../../clients/etcd/members";
import { probe } from "../../../clients/probe";
import { removeDurably } from "../../harness/durable";
import type * as common from "../../harness/steps";
import { runSteps, type StepEvent } from "../../harness/steps";
import { type Patience, tryUntil, waitFor } from "../../harness/wait";
import { memberCredentials } from "../member/files";
import { hasShell, waitUntilStopped } from "../member/process";
import { installCertificates, installStaticPod, readDisk, staticPodPath } from "./disk";
import { defaultTimeouts, type EtcdJoinPlan, type StepName } from "./plan";
import { removalProblem, type Standing, standing } from "./standing";

interface JoinOptions {
    readonly plan: EtcdJoinPlan;
    /** Directory of the member's certificates. */
    readonly source: string;
    /** Waits until no other agent works on this machine's member. @default nobody else does */
    readonly lock?: () => Promise<unknown>;
    readonly log: (event: StepEvent) => void;
}

/** Makes this machine a voter of the cluster's etcd, or goes on where a killed run stopped. */
export async function join({ plan, source, lock, log }: JoinOptions): Promise<void> {
    const client = new EtcdClient(plan.endpoints, memberCredentials(source));
    const run = (some: readonly Step[]) =>
        runSteps(some, { plan, client, source }, (step) => plan.timeouts?.[step] ?? defaultTimeouts[step], log);
    // It only looks, and in vain while the others have no majority: a restore that mends this must not wait for it.
    await run([findCluster]);
    await lock?.();
    await run(steps.filter((step) => step !== findCluster));
}

/** How this machine stands now. The members come first: who is listed with a name has written data before. */
async function look({ plan, client }: Run): Promise<{ members: readonly Member[]; standing: Standing }> {
    const members = await client.members();
    return { members, standing: standing(plan, members, readDisk(plan)) };
}

/** What every step gets. */
interface Run extends Patience {
    readonly plan: EtcdJoinPlan;
    readonly client: EtcdClient;
    /** Directory of the plan and of the certificates that come with it. */
    readonly source: string;
}

type Step = common.Step<StepName, Run>;

/** No member has this machine's name or URL without its data: raft takes nobody back who forgot what it agreed to. */
const removeStaleMember: Step = {
    name: "remove-stale-member",
    run: async (run) => {
        const removed: string[] = [];
        await tryUntil(run, "the stale member of this machine to be removed", async () => {
            const { members, standing } = await look(run);
            const [gone] = standing.kind === "stale" ? standing.members : [];
            if (gone === undefined) {
                return undefined;
            }
            const problem = removalProblem(members, gone, await voterHealth(run.client, members));
            if (problem !== undefined) {
                return problem;
            }
            await stopMember(run);
            await run.client.remove(gone.ID);
            removed.push(describeMember(gone));
            return `${describeMember(gone)} is removed, its namesakes are not`;
        });
        return removed.length === 0 ? "there is none" : `removed ${removed.join(", ")}`;
    },
};

/** A pod that lost its data must not start as the member that the cluster remembers. */
async function stopMember(run: Run): Promise<void> {
    const mayStart = hasShell(staticPodPath(run.plan));
    removeDurably(staticPodPath(run.plan));
    await waitUntilStopped(run, "the member without data to stop", [run.plan.peerUrl], mayStart);
}

/** The cluster sends its data to this machine's member, which has no vote yet. */
const addLearner: Step = {
    name: "add-learner",
    run: async (run) => {
        let message = "it is a member already";
        await tryUntil(run, "the cluster to add this machine's member", async () => {
            const { members, standing } = await look(run);
            if (standing.kind === "stale") {
                return "a member without data has taken its place";
            }
            if (standing.kind !== "absent") {
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

/** etcd adds none while a voter is away, nor a second learner, and does not say which. */
async function explanation({ client }: Run, members: Parameters<typeof voterHealth>[1]): Promise<string> {
    const { problems } = await voterHealth(client, members);
    const learners = members.filter(({ isLearner }) => isLearner).map(({ name, peerURLs }) => name || peerURLs?.[0]);
    const reasons = [...problems, ...learners.map((learner) => `${learner} is still a learner`)];
    return reasons.length === 0 ? "" : ` (${reasons.join("; ")})`;
}

/** A majority of the members can be asked through some controller. */
const findCluster: Step = {
    name: "find-cluster",
    run: async (run) => {
        let message = "";
        await tryUntil(run, `the etcd cluster behind ${run.plan.endpoints.join(", ")}`, async () => {
            const { members, standing } = await look(run);
            message = `members: ${members.map(describeMember).join(", ")}; this machine: ${standing.kind}`;
            return undefined;
        });
        return message;
    },
};

/** The member's certificates and static pod are on this machine's disk. */
const installMember: Step = {
    name: "install-member",
    run: async (run) => {
        const installed: string[] = [];
        await tryUntil(run, "the members to start with", async () => {
            const { members } = await look(run);
            installed.push(...installCertificates(run.plan, run.source));
            if (installStaticPod(run.plan, initialCluster(run.plan, members))) {
                installed.push("static pod");
            }
            return undefined;
        });
        return installed.length === 0 ? "all is in place" : `wrote ${installed.join(", ")}`;
    },
};

/** etcd compares the URLs with those of its peers, and reads a name only to find itself. */
export function initialCluster({ name, peerUrl }: Pick<EtcdJoinPlan, "name" | "peerUrl">, members: readonly Member[]) {
    return members
        .flatMap(({ ID, name: other, peerURLs = [] }) =>
            peerURLs.map((url) => `${url === peerUrl ? name : other || ID}=${url}`),
        )
        .join(",");
}

/** The cluster finds the member that has its data here, be this machine another one with another address. */
const moveMember: Step = {
    name: "move-member",
    run: async (run) => {
        let message = "it is where the cluster looks for it";
        await tryUntil(run, "the cluster to look for this machine's member here", async () => {
            const { standing } = await look(run);
            if (standing.kind === "moved") {
                await run.client.update(standing.member.ID, run.plan.peerUrl);
                message = `${describeMember(standing.member)} is at ${run.plan.peerUrl} now`;
            }
            return undefined;
        });
        return message;
    },
};

/** The member has a vote. The cluster gives it one only when it is nearly in sync with the leader. */
const promote: Step = {
    name: "promote",
    run: async (run) => {
        let message = "it is a voter already";
        await tryUntil(run, `${run.plan.name} to be in sync with the leader and a voter`, async () => {
            const { standing } = await look(run);
            if (standing.kind !== "joined") {
                return `the cluster does not know this machine's member: ${standing.kind}`;
            }
            if (!standing.member.isLearner) {
                return undefined;
            }
            await run.client.promote(standing.member.ID);
            message = "a learner became a voter";
            return undefined;
        });
        return message;
    },
};

/** The member takes part: it answers reads that need a majority. */
const waitUntilHealthy: Step = {
    name: "wait-until-healthy",
    run: async (run) => {
        const url = `${run.plan.healthUrl}/readyz`;
        await waitFor(run, "this machine's member to be ready", () => probe(url));
        return `${url} is good`;
    },
};

/** The process that serves on this machine is the member that the cluster added. */
const waitUntilServing: Step = {
    name: "wait-until-serving",
    run: async (run) => {
        const { name, clientUrl } = run.plan;
        await tryUntil(run, `the pod etcd-${name} of this machine to serve`, async () => {
            const { header } = await run.client.status(clientUrl);
            const { standing } = await look(run);
            if (standing.kind !== "joined") {
                return `the member that serves has no data on this disk: ${standing.kind}`;
            }
            return header.member_id === standing.member.ID
                ? undefined
                : `${clientUrl} serves as another member than the one that was added; its data is of an earlier one`;
        });
        return `${clientUrl} serves`;
    },
};

/** Each finds out by itself what is left to do, from the cluster and the disk: there is no journal to go wrong. */
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
