import { describePassing, isNotFound } from "../common/api-error";
import { waitFor } from "../common/wait";
import { type Discovery, NoSuchKind } from "./discovery";
import { type KubernetesObject, objectName } from "./manifests";
import type { Run } from "./run";

/** Whether the cluster lacks an object: it has none of that name, or it is a bootstrap token that has ended. */
export async function isMissing(run: Run, discovery: Discovery, object: KubernetesObject): Promise<boolean> {
    let isThere = false;
    await waitFor(run, `an answer about ${objectName(object)}`, async () => {
        try {
            isThere = !hasEnded(await run.api.call<KubernetesObject>(await discovery.path(object)));
            return undefined;
        } catch (error) {
            return isNotFound(error) || error instanceof NoSuchKind ? undefined : describePassing(error);
        }
    });
    return !isThere;
}

/** A token's Secret stays for a while after its time, and one from a snapshot is as old as that. */
export function hasEnded({ type, data }: KubernetesObject, now = Date.now()): boolean {
    const end = type === "bootstrap.kubernetes.io/token" ? data?.expiration : undefined;
    return end !== undefined && Date.parse(Buffer.from(end, "base64").toString()) <= now;
}
