import { gt, minor } from "semver";
import { KUBERNETES_VERSIONS } from "../../versions";
import { allowedNext } from "./checks";

/**
 * Which newer versions to offer for a cluster: none, patches of its minor version, or the next minor version as well.
 */
export const updateChannels = ["none", "patch", "minor"] as const;
export type UpdateChannel = (typeof updateChannels)[number];

/** The newest pinned version that a channel offers for a cluster; undefined if the cluster is up to date. */
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
