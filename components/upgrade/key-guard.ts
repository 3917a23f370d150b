import * as pulumi from "@pulumi/pulumi";
import type { ApiClient } from "../../agents/common/api-client";
import { describeKeyChanges } from "../cluster/key-changes";
import { isSame, type KeyLists } from "../cluster/key-lists";
import { keyVerdict } from "../cluster/key-verdict";
import type { Cluster } from "../cluster/model";
import { tokenProblems } from "../cluster/token-checks";
import { plainError } from "../plain-error";
import { runningAuthorities } from "./authorities";
import { rewriteOf, runningKeys, tokenFacts } from "./keys";

/**
 * Refuses other keys that somebody would not know, in previews too, and tells what changes with those that may be.
 *
 * @param told - those that kube-apiserver was last told to have
 * @throws RunError with everything that stands in the way
 */
export async function checkKeys(
    api: ApiClient,
    told: KeyLists,
    { name, keys, controllers, upgradeOverrides }: Cluster,
    component: pulumi.Resource,
): Promise<void> {
    // What was told before goes on, whatever state that left it in.
    if (describeKeyChanges(told, keys).length === 0) {
        return;
    }
    const running = await runningKeys(api, told);
    const facts = {
        told,
        holders: running.holders,
        members: running.members,
        controllers: controllers.names,
        rewrites: { told: await rewriteOf(api, told), wanted: await rewriteOf(api, keys) },
        tokens: tokenProblems(await tokenFacts(api, running, keys), Date.now()),
        ...(!isSame(told.kubernetesCa, keys.kubernetesCa) && { authorities: await runningAuthorities(api) }),
    };
    const { refusal, warnings, changes } = keyVerdict(name, facts, keys, upgradeOverrides);
    if (refusal !== undefined) {
        throw plainError(refusal);
    }
    for (const warning of warnings) await pulumi.log.warn(warning, component);
    for (const change of changes) await pulumi.log.info(change, component);
}
