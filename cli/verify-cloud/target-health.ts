import type { AwsQuery } from "../../agents/clean-up/aws/query";
import { waitFor } from "../../agents/harness/wait";
import { elementsAt, textAt } from "../../clients/aws/xml";

/** Whether a load balancer's health check finds a machine healthy. */
export interface TargetHealth {
    /** The target group. */
    readonly group: string;
    /** Id of the instance. */
    readonly target: string;
    /** `healthy`, `unhealthy`, `initial`, `draining` and others. */
    readonly state: string;
    /** The cloud's own words. */
    readonly reason?: string;
}

/** Unit: seconds. A new target is checked twice, every five seconds, but starts to be so late. */
const limits = { healthy: 180 };

/** Targets of the API's load balancers, as AWS reports them. */
export async function awsTargetHealth(query: AwsQuery, cluster: string): Promise<TargetHealth[]> {
    const found: TargetHealth[] = [];
    const answer = await query("network", "DescribeTargetGroups", { PageSize: "400" });
    for (const group of elementsAt(answer, "DescribeTargetGroupsResult", "TargetGroups", "member")) {
        const name = textAt(group, "TargetGroupName") ?? "";
        if (![`${cluster}-api`, `${cluster}-nodes`].includes(name)) continue;
        const TargetGroupArn = textAt(group, "TargetGroupArn") ?? "";
        const health = await query("network", "DescribeTargetHealth", { TargetGroupArn });
        const targets = elementsAt(health, "DescribeTargetHealthResult", "TargetHealthDescriptions", "member");
        for (const each of targets) {
            const [code, words] = ["Reason", "Description"].map((key) => textAt(each, "TargetHealth", key));
            const reason = [code, words].filter(Boolean).join(": ");
            found.push({
                group: name,
                target: textAt(each, "Target", "Id") ?? "?",
                state: textAt(each, "TargetHealth", "State") ?? "unknown",
                ...(reason && { reason }),
            });
        }
    }
    return found;
}

/**
 * Waits until every target is healthy. A working API proves nothing: without a healthy target, AWS' load balancers use
 * all of them.
 */
export async function untilHealthy(
    read: () => Promise<readonly TargetHealth[]>,
    report: (line: string) => void,
    seconds = limits.healthy,
): Promise<string> {
    let said = "";
    await waitFor(
        { deadline: performance.now() + seconds * 1000, report },
        "every target of the API's load balancers to be healthy",
        async () => {
            const all = await read();
            said = all.map(describe).join("; ") || "no target";
            return all.length > 0 && all.every(({ state }) => state === "healthy") ? undefined : said;
        },
        { everyMilliseconds: 5_000 },
    );
    return said;
}

function describe({ group, target, state, reason }: TargetHealth): string {
    return `${target} of ${group} is ${state}${reason ? ` (${reason})` : ""}`;
}
