import * as pulumi from "@pulumi/pulumi";
import type { Cluster } from "../cluster/model";
import { describeRefusal, stateProblems } from "../cluster/upgrade-checks";
import { versionOfImage } from "../cluster/version";
import { plainError } from "../plain-error";

/**
 * Holds another version of kube-apiserver against what the state says, in previews too: for a cluster that can't be asked what
 * runs. `upgradeOverrides: [version]` lets it go.
 */
export function versionHook({ name, versions, upgradeOverrides }: Cluster): pulumi.ResourceHook {
    const wanted = versions.kubernetes;
    return new pulumi.ResourceHook(
        `${name}-kube-apiserver-version`,
        ({ oldInputs }) => {
            const from = apiserverVersion(oldInputs);
            const problems = from === undefined ? [] : stateProblems(from, wanted);
            const refused = problems.filter(({ check }) => !upgradeOverrides.includes(check));
            if (refused.length > 0) {
                throw plainError(describeRefusal(name, `go from Kubernetes ${from} to ${wanted}`, refused));
            }
        },
        { onDryRun: true },
    );
}

/** As the state has its DaemonSet. */
function apiserverVersion(inputs: Record<string, unknown> = {}): string | undefined {
    const { spec } = inputs as {
        spec?: { template?: { spec?: { containers?: { name?: string; image?: string }[] } } };
    };
    const containers = spec?.template?.spec?.containers ?? [];
    return versionOfImage(containers.find((each) => each.name === "kube-apiserver")?.image ?? "");
}
