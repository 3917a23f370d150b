import * as pulumi from "@pulumi/pulumi";
import type { DaemonSet } from "../../clients/kubernetes/objects";
import type { Cluster } from "../../cluster/model";
import { describeRefusal, versionProblems } from "../../cluster/upgrades/checks";
import { byVersion } from "../../cluster/upgrades/version";
import { plainError } from "../pulumi/errors";
import { apiserver, versionOf } from "./running";

/**
 * Checks a change of kube-apiserver's version against the state, at preview too, for a cluster that is unreachable.
 * `upgradeOverrides: [version]` skips it.
 *
 * @param wasAsked - whether the running versions could be read: the state may have a version that never ran, if its
 * rollout failed
 */
export function versionHook(
    { name, versions, upgradeOverrides }: Cluster,
    wasAsked: () => boolean,
): pulumi.ResourceHook {
    const desired = versions.kubernetes;
    return new pulumi.ResourceHook(
        `${name}-kube-apiserver-version`,
        ({ oldInputs, oldOutputs }) => {
            if (wasAsked()) return;
            // After a failed rollout, the engine has the previous inputs but the outputs of the failed version.
            const versionsFound = [oldInputs, oldOutputs].flatMap(
                (each) => versionIn(each as Partial<DaemonSet>) ?? [],
            );
            const apiservers = [...new Set(versionsFound)].sort(byVersion);
            const from = apiservers.join(" or ");
            const problems = versionProblems({ apiservers }, desired);
            const refused = problems.filter(({ check }) => !upgradeOverrides.includes(check));
            if (refused.length > 0) {
                throw plainError(describeRefusal(name, `go from Kubernetes ${from} to ${desired}`, refused));
            }
        },
        { onDryRun: true },
    );
}

function versionIn(set: Partial<DaemonSet> | undefined): string | undefined {
    const spec = set?.spec?.template.spec;
    return spec && versionOf(spec, apiserver);
}
