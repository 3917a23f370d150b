import { type AwsQuery, awsQueryHere } from "../../../agents/clean-up/aws/query";
import { elementsAt, textAt, type XmlElement } from "../../../clients/aws/xml";
import type { Launches } from "../../pool-watch/judge";
import { groupName } from "./pools";

/**
 * How a pool's group launches instances, with credentials of the environment.
 *
 * @param timeout - of finding credentials and of each call, in milliseconds. @default 30 s
 */
export async function launchesHere(cluster: string, pool: string, region: string, timeout?: number): Promise<Launches> {
    return launchesOf(await awsQueryHere(region, undefined, timeout), groupName({ cluster, pool }));
}

/** Instances of a group, and why the last launches failed: only its activities have that. */
export async function launchesOf(query: AwsQuery, group: string): Promise<Launches> {
    const [groups, activities] = await Promise.all([
        query("scaling", "DescribeAutoScalingGroups", { "AutoScalingGroupNames.member.1": group }),
        query("scaling", "DescribeScalingActivities", { AutoScalingGroupName: group, MaxRecords: "20" }),
    ]);
    const at = ["DescribeAutoScalingGroupsResult", "AutoScalingGroups", "member", "Instances", "member"];
    const machines = elementsAt(groups, ...at)
        .filter((each) => /^(Pending|InService)/.test(textAt(each, "LifecycleState") ?? ""))
        .map((each) => textAt(each, "InstanceId")!);
    return { group, machines, failures: failuresIn(activities) };
}

/** Messages of failed launches since the last one that succeeded, each once. AWS lists the newest first. */
export function failuresIn(activities: XmlElement): string[] {
    const all = elementsAt(activities, "DescribeScalingActivitiesResult", "Activities", "member").filter((each) =>
        textAt(each, "Description")?.startsWith("Launching"),
    );
    const last = all.findIndex((each) => textAt(each, "StatusCode") === "Successful");
    const failed = all
        .slice(0, last < 0 ? undefined : last)
        .filter((each) => ["Failed", "Cancelled"].includes(textAt(each, "StatusCode") ?? ""));
    return [...new Set(failed.flatMap((each) => textAt(each, "StatusMessage") ?? []))];
}
