import { join } from "node:path";
import { applyGroups } from "../apply-groups";
import { isMissing } from "../is-missing";
import { readManifests } from "../manifests";
import { addonsOrder } from "../plan";
import type { Step } from "../run";

/**
 * Applies the add-ons when the control plane serves, which needs none of them.
 *
 * On a small machine their images and processes would hold it up; while the temporary apiserver drains there is time.
 */
export const applyAddons: Step = {
    name: "apply-addons",
    run: async (run) => {
        const { recovery } = run.plan;
        if (run.state.pivotedAt !== undefined && !recovery) {
            return "not needed";
        }
        const groups = readManifests(join(run.plan.directories.assets, "manifests"));
        return await applyGroups(
            run,
            groups.filter(({ order }) => order >= addonsOrder),
            recovery && isMissing,
        );
    },
};
