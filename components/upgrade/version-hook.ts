import * as pulumi from "@pulumi/pulumi";
import type { Cluster } from "../../cluster/model";
import { describeRefusal, versionProblems } from "../../cluster/upgrades/checks";
import { byVersion } from "../../cluster/upgrades/version";
import { plainError } from "../pulumi/errors";
import { apiserver, type DaemonSet, versionOf } from "./running";

/**
 * Holds another version of kube-apiserver against what the state says, in previews too: for a cluster that can't be asked what
 * runs. `upgradeOverrides: [version]` lets it go.
 *
 * @param wasAsked - whether the cluster itself told what runs: the state has a version that may never have served, where its rollout failed
 */
export function versionHook(
    { name, versions, upgradeOverrides }: Cluster,
    wasAsked: () => boolean,
): pulumi.ResourceHook {
    const wanted = versions.kubernetes;
    return new pulumi.ResourceHook(
        `${name}-kube-apiserver-version`,
        ({ oldInputs, oldOutputs }) => {
            if (wasAsked()) return;
            // After a rollout that failed the engine has the inputs of before, and the outputs that the cluster was told.
            const told = [oldInputs, oldOutputs].flatMap((each) => versionIn(each as Partial<DaemonSet>) ?? []);
            const apiservers = [...new Set(told)].sort(byVersion);
            const from = apiservers.join(" or ");
            const problems = versionProblems({ apiservers }, wanted);
            const refused = problems.filter(({ check }) => !upgradeOverrides.includes(check));
            if (refused.length > 0) {
                throw plainError(describeRefusal(name, `go from Kubernetes ${from} to ${wanted}`, refused));
            }
        },
        { onDryRun: true },
    );
}

function versionIn(set: Partial<DaemonSet> | undefined): string | undefined {
    const spec = set?.spec?.template.spec;
    return spec && versionOf(spec, apiserver);
}
