import { describeError } from "../common/api-error";
import type { Member } from "../common/etcd-client";
import { EtcdError } from "../common/etcd-error";
import { waitFor } from "../common/wait";
import { readDisk } from "./disk";
import type { Run } from "./run";
import { type Standing, standing } from "./standing";

/** How this machine stands now. The members come first: who is listed with a name has written data before. */
export async function look({ plan, client }: Run): Promise<{ members: readonly Member[]; standing: Standing }> {
    const members = await client.members();
    return { members, standing: standing(plan, members, readDisk(plan)) };
}

/**
 * Tries until nothing is left to do: `attempt` returns undefined then, else what it saw.
 *
 * What etcd refuses now it may allow soon, such as a change a few seconds after another.
 */
export async function tryUntil(run: Run, what: string, attempt: () => Promise<string | undefined>): Promise<void> {
    const seen = async () => {
        try {
            return await attempt();
        } catch (error) {
            if (error instanceof EtcdError) {
                return describeError(error);
            }
            throw error;
        }
    };
    await waitFor(run, what, seen, { slowTo: 1_000 });
}
