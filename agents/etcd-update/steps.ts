import { spawnSync } from "node:child_process";
import { leadElsewhere, oneOfSeveral } from "../common/etcd-leader";
import { voterHealth } from "../common/etcd-members";
import { tryUntil } from "../common/etcd-try";
import { writeManifest } from "./disk";
import { commandOf } from "./manifest";
import { othersProblem } from "./others";
import type { Run, Step } from "./run";
import { waitUntilServing } from "./serving";

/** The program to come knows the flags. It ends after it has read them when it is asked for its version. */
export const checkFlags: Step = {
    name: "check-flags",
    run: async ({ plan, wanted }) => {
        const flags = [...commandOf(wanted).slice(1), "--version"];
        const { status, stdout, stderr, error } = spawnSync(plan.program, flags, { encoding: "utf8" });
        const told = `${stderr ?? ""}${stdout ?? ""}`.trim();
        if (status !== 0) {
            throw new Error(`etcd ${plan.version} refuses its flags: ${error?.message ?? firstLine(told)}`);
        }
        if (!told.includes(`etcd Version: ${plan.version}\n`)) {
            throw new Error(`${plan.program} must be etcd ${plan.version}, got ${firstLine(told)}`);
        }
        return `etcd ${plan.version} knows the flags`;
    },
};

/** A majority is left while this member is away, and the leader. */
export const waitForOthers: Step = {
    name: "wait-for-others",
    run: async (run) => {
        const { name, endpoints } = run.plan;
        // Nobody else is there to ask, and it may be this one that does not serve.
        if (endpoints.length === 1) {
            return "it is the only member";
        }
        await tryUntil(run, "all other members to be healthy", async () => {
            const members = await run.client.members();
            return othersProblem(name, members, await voterHealth(run.client, members));
        });
        const leader = await leadElsewhere(run.client, oneOfSeveral(name), run);
        return `all other members are healthy; another leader: ${leader}`;
    },
};

/** The kubelet has the member's other manifest, and the journal has the one to go back to. */
export const switchManifest: Step = {
    name: "switch-manifest",
    run: async ({ plan, journal, previous, wanted }) => {
        journal.write({ phase: "switched", id: plan.id, previous });
        return writeManifest(plan, wanted) ? "wrote the manifest" : "the manifest is in place";
    },
};

export const untilServing: Step = {
    name: "wait-until-serving",
    run: async (run) => {
        await waitUntilServing(run, run.wanted, { version: run.plan.version, isOnTrial: true });
        run.journal.write({ phase: "idle" });
        return `${run.plan.name} serves with etcd ${run.plan.version}`;
    },
};

/** The member has the manifest again with which it served. */
export function revert(reason: string): Step {
    return {
        name: "revert",
        run: async (run: Run) => {
            const { plan, journal, previous } = run;
            journal.write({ phase: "reverting", id: plan.id, previous, reason });
            writeManifest(plan, previous);
            // However long the kubelet lets it wait for what the other one did: nothing else would have it served.
            await waitUntilServing(run, previous);
            journal.write({ phase: "reverted", id: plan.id, reason });
            return `${plan.name} serves as before`;
        },
    };
}

function firstLine(text: string): string {
    return text.split("\n")[0] ?? "";
}
