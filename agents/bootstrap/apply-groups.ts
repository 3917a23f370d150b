import { describeError } from "../common/api-error";
import { applyObject, withExpiration } from "./apply";
import { Discovery } from "./discovery";
import type { ManifestGroup } from "./manifests";
import type { Run } from "./run";

/** A small machine's apiserver is at its fastest with a few writers. */
const parallelism = 8;

/** Applies groups one after the other, and says how many objects that were. */
export async function applyGroups(run: Run, groups: readonly ManifestGroup[]): Promise<string> {
    const discovery = new Discovery(run.api);
    for (const group of groups) {
        await applyGroup(run, discovery, group);
    }
    return `${groups.reduce((sum, { objects }) => sum + objects.length, 0)} objects`;
}

async function applyGroup(run: Run, discovery: Discovery, { objects }: ManifestGroup): Promise<void> {
    const queue = [...objects];
    const errors: string[] = [];
    const work = async () => {
        for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
            try {
                await applyObject(run, discovery, withExpiration(next.object, run.plan.tokens.expiresAfterHours));
            } catch (error) {
                errors.push(`${next.file}: ${describeError(error)}`);
            }
        }
    };
    await Promise.all(Array.from({ length: parallelism }, work));
    if (errors.length > 0) {
        throw new Error(errors.join("; "));
    }
}
