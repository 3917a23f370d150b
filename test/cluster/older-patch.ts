import { ensure } from "../../artifacts";
import { KUBERNETES_VERSIONS, type KubernetesVersion, versions } from "../../versions";

const minor = versions.kubernetes.replace(/[^.]*$/, "");

/** The two newest patch releases of the default minor version: the default is one of them. */
export const [newerPatch, olderPatch] = KUBERNETES_VERSIONS.filter((version) =>
    version.startsWith(minor),
) as unknown as readonly [KubernetesVersion, KubernetesVersion];

/** Builds them if necessary, for many minutes: few tests need both, so they are not part of the set-up. */
export async function buildPatches(context: Mocha.Context): Promise<void> {
    context.timeout(3_600_000);
    await ensure({ kubernetes: [newerPatch, olderPatch], say: () => {} });
}
