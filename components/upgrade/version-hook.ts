import * as pulumi from "@pulumi/pulumi";
import type { Cluster } from "../cluster/model";
import { describeRefusal, versionProblems } from "../cluster/upgrade-checks";
import { plainError } from "../plain-error";
import { apiserver, type DaemonSet, versionOf } from "./running";

/**
 * Holds another version of kube-apiserver against what the state says, in previews too: for a cluster that can't be asked what
 * runs. `upgradeOverrides: [version]` lets it go.
 *
 * @param wasAsked - whether the cluster itself told what runs: the state has a version that never served, where its rollout failed
 */
export function versionHook(
    { name, versions, upgradeOverrides }: Cluster,
    wasAsked: () => boolean,
): pulumi.ResourceHook {
    const wanted = versions.kubernetes;
    return new pulumi.ResourceHook(
        `${name}-kube-apiserver-version`,
        ({ oldInputs }) => {
            if (wasAsked()) return;
            const from = oldInputs && versionOf((oldInputs as DaemonSet).spec.template.spec, apiserver);
            const problems = from === undefined ? [] : versionProblems({ apiservers: [from] }, wanted);
            const refused = problems.filter(({ check }) => !upgradeOverrides.includes(check));
            if (refused.length > 0) {
                throw plainError(describeRefusal(name, `go from Kubernetes ${from} to ${wanted}`, refused));
            }
        },
        { onDryRun: true },
    );
}
