import type { Journal } from "./journal";
import { type EtcdStaticPod, memberManifest } from "./manifest";
import type { EtcdUpdatePlan } from "./plan";

/** What this run is about. */
export type Course =
    | { readonly kind: "update"; readonly previous: EtcdStaticPod; readonly wanted: EtcdStaticPod }
    /** An earlier run found that the member does not serve, and was killed before it was back. */
    | { readonly kind: "revert"; readonly previous: EtcdStaticPod; readonly reason: string }
    /** It was tried, and is not tried again. */
    | { readonly kind: "failed"; readonly reason: string };

/**
 * What is left to do. An update of which nobody knows whether its member served is no ground to stand on: what is gone
 * back to is what was there before it.
 */
export function courseOf(
    { id, staticPod }: Pick<EtcdUpdatePlan, "id" | "staticPod">,
    journal: Journal,
    current: EtcdStaticPod,
): Course {
    if (journal.phase === "reverted" && journal.id === id) {
        return { kind: "failed", reason: journal.reason };
    }
    if (journal.phase === "reverting" && journal.id === id) {
        return { kind: "revert", previous: journal.previous, reason: journal.reason };
    }
    const isUnproven = journal.phase === "switched" || journal.phase === "reverting";
    const previous = isUnproven ? journal.previous : current;
    return { kind: "update", previous, wanted: memberManifest(staticPod as EtcdStaticPod, previous) };
}
