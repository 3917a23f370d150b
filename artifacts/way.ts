import { setTimeout as pause } from "node:timers/promises";
import type { Item, Way } from "./item";
import { officialSites, type Sites } from "./sites";

const WAIT_MS = 3_000;
const PAUSES_MS = [500, 1_000];

/**
 * Asks the official sites of the missing items, each several times: online if all answer, offline with a message if
 * none does, undefined if nothing that is missing has an official site.
 * @throws Error if only some of them answer
 */
export async function chooseWay(
    missing: readonly Item[],
    say: (line: string) => void,
    { url: siteUrl }: Sites = officialSites,
): Promise<Way | undefined> {
    const sites = [
        ...new Set(missing.flatMap(({ official = [] }) => official.map((url) => new URL(siteUrl(url)).origin))),
    ];
    if (sites.length === 0) {
        return undefined;
    }
    const answers = await Promise.all(sites.map(isReachable));
    const unreachable = sites.filter((_, index) => !answers[index]);
    if (unreachable.length === 0) {
        return "online";
    }
    const names = unreachable.join(", ");
    if (unreachable.length < sites.length) {
        throw new Error(`official sites must be reachable (got no answer from ${names}): ${AGAIN}`);
    }
    const tools = new Set(missing.flatMap((item) => item.tools.map(({ command }) => command)));
    const needs = [...tools].sort().join(", ");
    say(`no network: building from source; it needs ${needs}, and root for images (no answer from ${names})`);
    return "offline";
}

/** How to proceed after a failed download. */
export const AGAIN = "run it again, or use --offline";

/** Whether an item is fetched from its official sites rather than built. */
export function isFetched({ official = [] }: Pick<Item, "official">, way: Way): boolean {
    return way === "online" && official.length > 0;
}

async function isReachable(origin: string): Promise<boolean> {
    const ask = () =>
        fetch(origin, { method: "HEAD", redirect: "manual", signal: AbortSignal.timeout(WAIT_MS) }).then(() => true);
    return retry(ask).catch(() => false);
}

/** Repeats failed work after pauses; rejects with the last failure. */
export async function retry<T>(work: () => Promise<T>, pauses: readonly number[] = PAUSES_MS): Promise<T> {
    for (const milliseconds of pauses) {
        try {
            return await work();
        } catch {
            await pause(milliseconds);
        }
    }
    return work();
}
