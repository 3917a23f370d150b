import type { Account, AutoScalingGroup, Instance } from "../../account";
import { filtered, tagValues } from "../ec2/filters";
import { type Action, look } from "../query/action";
import { textOf, textsOf } from "../query/params";

/** An unknown group is omitted, not an error. */
const describeAutoScalingGroups = look("autoscaling:DescribeAutoScalingGroups", ({ account, params }) => {
    const names = textsOf(params, "AutoScalingGroupNames");
    const asked = account.all("autoScalingGroups").filter(({ name }) => names.length === 0 || names.includes(name));
    const found = filtered(params, asked, ({ tags }) => tagValues(tags), { filters: "Filters", values: "Values" });
    return { AutoScalingGroups: found.map((group) => groupSaid(account, group)) };
});

function groupSaid(account: Account, group: AutoScalingGroup) {
    const { name, least, most, desired, subnets, tags } = group;
    const { resources } = account;
    const members = Object.entries(resources.instances).filter(([, { madeBy }]) => madeBy === name);
    const zoneOf = (subnet: string) => resources.subnets[subnet]!.zone;
    return {
        AutoScalingGroupName: name,
        AutoScalingGroupARN: groupArn(account, name),
        MinSize: least,
        MaxSize: most,
        DesiredCapacity: desired,
        DefaultCooldown: 300,
        AvailabilityZones: [...new Set(subnets.map(zoneOf))].sort(),
        ...madeSaid(account, group),
        HealthCheckType: "EC2",
        HealthCheckGracePeriod: 0,
        CreatedTime: new Date(0).toISOString(),
        Instances: members.map(([id, instance]) => ({
            InstanceId: id,
            InstanceType: instance.spec?.instanceType,
            AvailabilityZone: zoneOf(instance.subnet),
            LifecycleState: lifecycleState(instance),
            HealthStatus: "Healthy",
            LaunchTemplate: templateSaid(account, instance.madeFrom!),
            ProtectedFromScaleIn: false,
        })),
        VPCZoneIdentifier: subnets.join(","),
        Tags: Object.entries(tags).map(([Key, Value]) => ({
            Key,
            Value,
            ResourceId: name,
            ResourceType: "auto-scaling-group",
            PropagateAtLaunch: false,
        })),
    };
}

/** From a template, or from a template and a policy. */
function madeSaid(account: Account, { madeFrom, types }: AutoScalingGroup) {
    const template = templateSaid(account, madeFrom);
    if (!types) return { LaunchTemplate: template };
    const Overrides = types.map((InstanceType) => ({ InstanceType }));
    return { MixedInstancesPolicy: { LaunchTemplate: { LaunchTemplateSpecification: template, Overrides } } };
}

function templateSaid({ resources }: Account, madeFrom: string) {
    const [id = "", version] = madeFrom.split(":");
    return {
        LaunchTemplateId: id,
        LaunchTemplateName: resources.launchTemplates[id]?.name,
        Version: version,
    };
}

// Source: Amazon EC2 Auto Scaling instance lifecycle.
function lifecycleState({ state, waiting }: Instance): string {
    if (state === "pending") return "Pending";
    if (state === "shutting-down") return "Terminating";
    if (waiting === undefined) return "InService";
    return waiting.isReleased ? "Terminating:Proceed" : "Terminating:Wait";
}

/** The driver looks for failed activities, and here none fail. */
const describeScalingActivities = look("autoscaling:DescribeScalingActivities", ({ account, params }) => {
    account.find("autoScalingGroups", textOf(params, "AutoScalingGroupName"));
    return { Activities: [] };
});

export const groupActions: Readonly<Record<string, Action>> = {
    DescribeAutoScalingGroups: describeAutoScalingGroups,
    DescribeScalingActivities: describeScalingActivities,
};

export function groupArn(account: Account, name: string): string {
    return account.arn("autoscaling", `autoScalingGroup:00000000-0000:autoScalingGroupName/${name}`);
}
