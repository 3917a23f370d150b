import { gt, minor } from "semver";
import { KUBERNETES_VERSIONS } from "../../artifacts/lock";
import { allowedNext } from "./checks";

/** Which newer versions a cluster is to be offered: none, patches of its own minor version, or the next minor version too. */
export const updateChannels = ["none", "patch", "minor"] as const;
export type UpdateChannel = (typeof updateChannels)[number];

/** The newest version that a channel has for a cluster, of those that are pinned; undefined if it has the newest. */
export function updateOf(
    from: string,
    channel: UpdateChannel,
    known: readonly string[] = KUBERNETES_VERSIONS,
): string | undefined {
    const offered = {
        none: [],
        patch: allowedNext(from, known).filter((version) => minor(version) === minor(from)),
        minor: allowedNext(from, known),
    }[channel];
    const newest = offered.at(-1);
    return newest !== undefined && gt(newest, from) ? newest : undefined;
}
