import { describeError } from "./api-error";
import { EtcdError } from "./etcd-error";
import { type Patience, waitFor } from "./wait";

/**
 * Tries until nothing is left to do: `attempt` returns undefined then, else what it saw.
 *
 * What etcd refuses now it may allow soon, such as a change a few seconds after another.
 */
export async function tryUntil(
    patience: Patience,
    what: string,
    attempt: () => Promise<string | undefined>,
): Promise<void> {
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
    await waitFor(patience, what, seen, { slowTo: 1_000 });
}
