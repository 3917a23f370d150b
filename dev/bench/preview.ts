import { pulumi } from "../../local/pulumi";
import type { ClusterState } from "../../local/state";
import { emptyPrograms, withEmptyProgram } from "./no-change/empty-program";
import { withCluster } from "./no-change/stack";
import { compare, type Group } from "./report";

const ROUNDS = 5;

/** A preview without changes, compared to one of an empty program. */
export const run: Group = ({ result, say }, { signal, stack }) =>
    withCluster(stack, signal, async (state) => {
        for (const { name, title, runtime } of emptyPrograms()) {
            signal.throwIfAborted();
            say(`${ROUNDS} rounds against an ${title}`);
            const { value, peer } = await withEmptyProgram(runtime, (preview) =>
                compare(ROUNDS, () => noChange(state), preview),
            );
            result({ name: `preview.${name}`, value, unit: "ms", peer: title, ratio: value / peer, goal: 1.2 });
        }
    });

function noChange(state: ClusterState): Promise<string> {
    return pulumi(state, ["preview", "--expect-no-changes", "--config-file", state.config]);
}
