import { describeError } from "../common/api-error";
import { applyObject, withExpiration } from "./apply";
import { Discovery } from "./discovery";
import { type KubernetesObject, type ManifestGroup, objectName } from "./manifests";
import type { Run } from "./run";

/** A small machine's apiserver is at its fastest with a few writers. */
const parallelism = 8;

/** Whether an object is to be applied. */
export type Wanted = (run: Run, discovery: Discovery, object: KubernetesObject) => Promise<boolean>;

/** Applies groups one after the other, all of their objects or those that are wanted, and says how many objects that were. */
export async function applyGroups(run: Run, groups: readonly ManifestGroup[], isWanted?: Wanted): Promise<string> {
    const discovery = new Discovery(run.api);
    const applied: string[] = [];
    for (const group of groups) {
        applied.push(...(await applyGroup(run, discovery, group, isWanted)));
    }
    const total = groups.reduce((sum, { objects }) => sum + objects.length, 0);
    if (isWanted === undefined) {
        return `${total} objects`;
    }
    return `${applied.length} of ${total} objects were missing${applied.length > 0 ? `: ${applied.join(", ")}` : ""}`;
}

async function applyGroup(
    run: Run,
    discovery: Discovery,
    { objects }: ManifestGroup,
    isWanted: Wanted = async () => true,
): Promise<string[]> {
    const queue = [...objects];
    const applied: string[] = [];
    const errors: string[] = [];
    const work = async () => {
        for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
            const { file, object } = next;
            try {
                if (await isWanted(run, discovery, object)) {
                    await applyObject(run, discovery, withExpiration(object, run.plan.tokens.expiresAfterHours));
                    applied.push(objectName(object));
                }
            } catch (error) {
                errors.push(`${file}: ${describeError(error)}`);
            }
        }
    };
    await Promise.all(Array.from({ length: parallelism }, work));
    if (errors.length > 0) {
        throw new Error(errors.join("; "));
    }
    return applied;
}
