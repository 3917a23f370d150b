import type { ApiClient } from "../../agents/common/api-client";
import type { DeprecatedApi } from "../cluster/upgrade-checks";

/** Connections for each kube-apiserver at most: a load balancer leads to any of them. */
const triesEach = 8;

/**
 * APIs that a later version has no more and that somebody asked for. Each kube-apiserver knows what it was asked for itself, since it
 * started, and which one answers is the load balancer's choice: so they are asked until each has answered.
 *
 * @param count - how many of them serve
 * @returns these APIs, each once, and how many kube-apiservers did not answer
 */
export async function askDeprecatedApis(
    api: Pick<ApiClient, "call">,
    count: number,
): Promise<{ readonly deprecatedApis: readonly DeprecatedApi[]; readonly unasked: number }> {
    const told = new Map<string, readonly DeprecatedApi[]>();
    for (let tries = 0; told.size < count && tries < count * triesEach; tries++) {
        const metrics = await api.call<string>("/metrics", { isFresh: count > 1 });
        told.set(startOf(metrics), deprecatedApis(metrics));
    }
    const all = new Map([...told.values()].flat().map((each) => [`${each.name} ${each.removedIn}`, each]));
    return { deprecatedApis: [...all.values()], unasked: Math.max(0, count - told.size) };
}

/** By when it started, processes are told apart. */
function startOf(metrics: string): string {
    return /^process_start_time_seconds (\S+)$/m.exec(metrics)?.[1] ?? "";
}

/** The names of the APIs that a later version has no more and that were asked for, out of kube-apiserver's metrics. */
export function deprecatedApis(metrics: string): DeprecatedApi[] {
    return metrics.split("\n").flatMap((line) => {
        const [, text] = /^apiserver_requested_deprecated_apis\{(.*)\} 1$/.exec(line) ?? [];
        if (text === undefined) {
            return [];
        }
        const label = (name: string) => new RegExp(`(?:^|,)${name}="([^"]*)"`).exec(text)?.[1] ?? "";
        const [group, removedIn] = [label("group"), label("removed_release")];
        // Without a release nothing is known of an end.
        return removedIn === ""
            ? []
            : [{ name: `${group && `${group}/`}${label("version")} ${label("resource")}`, removedIn }];
    });
}
