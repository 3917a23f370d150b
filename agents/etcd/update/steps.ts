import { spawnSync } from "node:child_process";
import { othersProblem, voterHealth } from "../../../clients/etcd/members";
import { endTurn, turnProblem } from "../../../clients/etcd/turn";
import { describeError } from "../../../clients/kubernetes/api-error";
import { tryUntil } from "../../harness/wait";
import { leadElsewhere, oneOfSeveral } from "../member/leader";
import { flagsOf, isStandbyCommand } from "../member/runner";
import { commandOf, earlierManifest, readManifest, writeManifest } from "./manifest";
import { killIfMemberEnds, type Run, type Step } from "./run";
import { waitUntilServing } from "./serving";
import { giveUpDowngrade } from "./storage-version";

/** Checks that the new program accepts the flags. When asked for its version, it reads them before it exits. */
export const checkFlags: Step = {
    name: "check-flags",
    run: async ({ plan, desired }) => {
        const flags = [...flagsOf(commandOf(desired)), "--version"];
        const { status, stdout, stderr, error } = spawnSync(plan.program, flags, { encoding: "utf8" });
        const output = `${stderr ?? ""}${stdout ?? ""}`.trim();
        if (status !== 0) {
            throw new Error(`etcd ${plan.version} rejects its flags: ${error?.message ?? firstLine(output)}`);
        }
        if (!output.includes(`etcd Version: ${plan.version}\n`)) {
            throw new Error(`${plan.program} must be etcd ${plan.version} (got ${firstLine(output)})`);
        }
        return `etcd ${plan.version} accepts the flags`;
    },
};

/** Seconds in which no API-managed pod may take over another member, unless this agent ends the turn earlier. */
const turnSeconds = 300;

/** Whether API-managed pods run members: they take turns, and a healthy member may be about to be taken over. */
function hasPods({ previous, desired }: Pick<Run, "previous" | "desired">): boolean {
    return isStandbyCommand(commandOf(previous)) || isStandbyCommand(commandOf(desired));
}

/** Ends this member's turn early so that the others need not wait. */
async function letOthersGoOn(run: Run): Promise<void> {
    if (run.plan.endpoints.length > 1 && hasPods(run)) {
        await endTurn(run.client, run.plan.name).catch((error) => run.report(describeError(error)));
    }
}

/** Waits until the others have quorum without this member, and moves the leadership to one of them. */
export const waitForOthers: Step = {
    name: "wait-for-others",
    run: async (run) => {
        const { client, previous, desired, plan } = run;
        const { name, endpoints } = plan;
        // There is no other member to query, and this one may be the one that does not serve.
        if (endpoints.length === 1) {
            return "it is the only member";
        }
        await tryUntil(run, "all other members to be healthy", async () => {
            const members = await client.members();
            const problem = othersProblem(name, members, await voterHealth(client, members));
            if (problem !== undefined || !hasPods({ previous, desired })) return problem;
            return turnProblem(client, name, turnSeconds);
        });
        const leader = await leadElsewhere(client, oneOfSeveral(name), run);
        return `all other members are healthy; another leader: ${leader}`;
    },
};

/** Writes the new manifest for the kubelet, and the previous one to the journal for a revert. */
export const switchManifest: Step = {
    name: "switch-manifest",
    run: async (run) => {
        const { plan, journal, previous, desired } = run;
        journal.write({ phase: "switched", id: plan.id, previous });
        // The kubelet may terminate it from here on.
        await killIfMemberEnds(run);
        return writeManifest(plan, desired) ? "wrote the manifest" : "the manifest is already in place";
    },
};

export const untilServing: Step = {
    name: "wait-until-serving",
    run: async (run) => {
        await waitUntilServing(run, run.desired, { version: run.plan.version, isOnTrial: true });
        run.journal.write({ phase: "idle" });
        await letOthersGoOn(run);
        return `${run.plan.name} serves with etcd ${run.plan.version}`;
    },
};

/** Puts back the manifest with which the member last served. */
export function revert(reason: string): Step {
    return {
        name: "revert",
        run: async (run: Run) => {
            const { plan, journal, previous } = run;
            journal.write({ phase: "reverting", id: plan.id, previous, reason });
            await killIfMemberEnds(run);
            writeManifest(plan, earlierManifest(previous, readManifest(plan)));
            // Includes any back-off that the failed manifest caused: nothing else would start the member.
            await waitUntilServing(run, previous);
            await giveUpDowngrade(run);
            journal.write({ phase: "reverted", id: plan.id, reason });
            await letOthersGoOn(run);
            return `${plan.name} serves as before`;
        },
    };
}

function firstLine(text: string): string {
    return text.split("\n")[0] ?? "";
}
