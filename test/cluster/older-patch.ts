import { ensure } from "../../artifacts";
import { KUBERNETES_VERSIONS, versions } from "../../versions";

const minor = versions.kubernetes.replace(/[^.]*$/, "");

/** The previous patch release. */
export const olderPatch = KUBERNETES_VERSIONS.find(
    (version) => version.startsWith(minor) && version !== versions.kubernetes,
)!;

/** Builds it if necessary, for many minutes: few tests need it, so it is not part of the set-up. */
export async function buildOlderPatch(context: Mocha.Context): Promise<void> {
    context.timeout(3_600_000);
    await ensure({ kubernetes: [olderPatch], say: () => {} });
}
