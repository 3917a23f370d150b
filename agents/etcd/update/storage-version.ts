import { describeError } from "../../../clients/kubernetes/api-error";
import { tryUntil } from "../../harness/wait";
import type { Run, Step } from "./run";

/**
 * Makes the members store what the desired version can read, before it starts: an etcd refuses data of a newer minor
 * version. For the previous one that is etcd's own downgrade, which every member still takes part in as the newer
 * version. A downgrade that is no longer desired is cancelled.
 *
 * @see https://etcd.io/docs/v3.7/downgrades/downgrade_3_7/
 */
export const storageVersion: Step = {
    name: "storage-version",
    run: async (run) => {
        const { plan, client } = run;
        const desired = minorOf(plan.version);
        const own = await client.status(plan.clientUrl).catch(() => undefined);
        // It may be the one to repair. If its data are too new, the older etcd does not start, and it is reverted.
        if (own === undefined) return `${plan.name} does not respond`;
        if (minorNumber(own.version) <= minorNumber(plan.version)) {
            const isCancelled = await cancelDowngrade(run, desired);
            return isCancelled ? "cancelled the downgrade" : `etcd ${plan.version} can read what is stored`;
        }
        try {
            await tryUntil(run, `${plan.name} to store as etcd ${desired}`, () => downgradeProblem(run, desired));
        } catch (error) {
            await giveUpDowngrade(run);
            throw error;
        }
        return `${plan.name} stores as etcd ${desired}`;
    },
};

/** Why a member must not be started as an older version yet. Enables the downgrade. */
async function downgradeProblem(run: Run, desired: string): Promise<string | undefined> {
    const { plan, client } = run;
    await cancelDowngrade(run, desired);
    const { storageVersion = "", downgradeInfo } = await client.status(plan.clientUrl);
    const stores = storageVersion.startsWith(`${desired}.`);
    // The last one to be upgraded may still be about to raise the version.
    const isAgreed = downgradeInfo?.enabled || (await runsSomewhere(run, desired));
    if (!isAgreed) await client.downgrade("ENABLE", desired);
    return stores && isAgreed ? undefined : `it stores as ${storageVersion || "an unknown version"}`;
}

/** Cancels a downgrade to any other version than this one. @returns whether there was one */
async function cancelDowngrade({ plan, client }: Run, except?: string): Promise<boolean> {
    const { downgradeInfo } = await client.status(plan.clientUrl);
    if (!downgradeInfo?.enabled || minorOf(downgradeInfo.targetVersion ?? "") === except) return false;
    await client.downgrade("CANCEL");
    return true;
}

/** Ends the downgrade that a failed change needed, unless members have gone back already. */
export async function giveUpDowngrade(run: Run): Promise<void> {
    try {
        if (!(await runsSomewhere(run, minorOf(run.plan.version)))) await cancelDowngrade(run);
    } catch (error) {
        run.report(`a downgrade may still be enabled: ${describeError(error)}`);
    }
}

async function runsSomewhere({ plan, client }: Run, minor: string): Promise<boolean> {
    const all = await Promise.all(plan.endpoints.map((url) => client.status(url)));
    return all.some(({ version }) => minorOf(version) === minor);
}

/** `3.6` of `3.6.16` */
function minorOf(version: string): string {
    return version.split(".").slice(0, 2).join(".");
}

function minorNumber(version: string): number {
    const [major, minor] = version.split(".").map(Number);
    return major! * 1_000 + minor!;
}
