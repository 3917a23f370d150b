import { describePassing } from "../common/api-error";
import { type Patience, waitFor } from "../common/wait";

/** Tries until nothing is left to do, over passing troubles of the API: an apiserver may be about to restart. */
export async function tryApiUntil(
    patience: Patience,
    what: string,
    attempt: () => Promise<string | undefined>,
): Promise<void> {
    const seen = async () => {
        try {
            return await attempt();
        } catch (error) {
            return describePassing(error);
        }
    };
    await waitFor(patience, what, seen, { slowTo: 1_000 });
}
