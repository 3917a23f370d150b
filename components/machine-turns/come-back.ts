import type { ApiClient } from "../../agents/common/api-client";
import { waitFor } from "../../agents/common/wait";
import { patchNode } from "../../agents/node-removal/nodes";
import { missingOn, nodeOf } from "./cluster-view";
import { type Left, sizeAnnotation, tried } from "./leave";

/**
 * Waits until a node whose machine was stopped is back, with what the system runs there, and takes its cordon away.
 *
 * @param seconds - that it may take
 * @throws when it does not come back
 */
export async function comeBack(
    api: ApiClient,
    name: string,
    left: Exclude<Left, "no node">,
    seconds: number,
    say: (line: string) => void,
): Promise<void> {
    const containers = left === "no API" ? new Set<string>() : left.containers;
    const patience = { deadline: performance.now() + seconds * 1000, report: say };
    await waitFor(patience, `${name} to be back`, () => tried(() => missingOn(api, name, containers)), {
        everyMilliseconds: 1_000,
    });
    const isOurs = async () => (await nodeOf(api, name))?.metadata.annotations?.[sizeAnnotation] !== undefined;
    await waitFor(patience, `${name} to be schedulable`, () =>
        tried(async () => {
            if (await isOurs()) {
                await patchNode(api, name, {
                    metadata: { annotations: { [sizeAnnotation]: null } },
                    spec: { unschedulable: null },
                });
            }
            return undefined;
        }),
    );
    say(`${name} is back`);
}
