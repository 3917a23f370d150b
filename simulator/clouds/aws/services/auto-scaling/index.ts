import type { Account, AutoScalingGroup, Instance } from "../../account";
import { release } from "../../lifecycle-hook";
import { leave, whenAlone } from "../../scaling";
import { filtered, tagValues } from "../ec2/filters";
import { type Action, type Call, type Need, readAction } from "../query/action";
import { numberOf, textOf, textsOf } from "../query/params";
import { elbDialect, queryApi } from "../query/protocol";

/** By instance: tokens are only sent to notification targets, and there are none here. */
const completeLifecycleAction: Action = {
    needs: ({ account, params }) => {
        const on = groupArn(account, textOf(params, "AutoScalingGroupName"));
        return [{ action: "autoscaling:CompleteLifecycleAction", on }];
    },
    run: (call) => {
        const instance = textOf(call.params, "InstanceId");
        if (!isWaited(call, instance)) {
            throw new Error(`ValidationError: No active Lifecycle Action found with instance ID ${instance}`);
        }
        release(call.account, instance);
        return {};
    },
};

function isWaited({ account, params }: Call, instance: string): boolean {
    const [group, hook] = [textOf(params, "AutoScalingGroupName"), textOf(params, "LifecycleHookName")];
    const { waiting, createdBy } = account.resources.instances[instance] ?? {};
    const isIn = createdBy === group && account.resources.lifecycleHooks[hook]?.group === group;
    return isIn && waiting !== undefined && Date.parse(waiting.until) > Date.now();
}

const lifecycleActions: Readonly<Record<string, Action>> = {
    CompleteLifecycleAction: completeLifecycleAction,
};

/** Must be between the group's minimum and maximum. */
const setDesiredCapacity: Action = {
    needs: ({ account, params }) => needsOf(account, "SetDesiredCapacity", textOf(params, "AutoScalingGroupName")),
    run: ({ account, params }) => {
        const [name, desired] = [textOf(params, "AutoScalingGroupName"), numberOf(params, "DesiredCapacity")];
        const { least, most } = account.find("autoScalingGroups", name);
        const beyond = (where: string, limit: number) => {
            const what = `New SetDesiredCapacity value ${desired} is ${where} value ${limit} for the AutoScalingGroup.`;
            return new Error(`ValidationError: ${what}`);
        };
        if (desired < least) throw beyond("below min", least);
        if (desired > most) throw beyond("above max", most);
        account.change("autoScalingGroups", name, (group) => ({ ...group, desired }));
        return {};
    },
};

/** Runs the group's hooks, like every other termination. */
const terminateInstance: Action = {
    needs: ({ account, params }) => {
        return needsOf(account, "TerminateInstanceInAutoScalingGroup", groupOf(account, textOf(params, "InstanceId")));
    },
    run: async ({ account, params }) => {
        const id = textOf(params, "InstanceId");
        const group = groupOf(account, id);
        const isFewer = textOf(params, "ShouldDecrementDesiredCapacity") === "true";
        // Both under one lock: nothing may replace it or terminate another one in between.
        await whenAlone(account, async () => {
            if (isFewer) lower(account, group);
            await leave(account, group, id);
        });
        return {
            Activity: {
                ActivityId: "00000000-0000-0000-0000-000000000000",
                AutoScalingGroupName: group,
                Description: `Terminating EC2 instance: ${id}`,
                Cause: `at ${new Date().toISOString()} an instance was taken out of service in response to a user request`,
                StartTime: new Date().toISOString(),
                StatusCode: "InProgress",
                Progress: 0,
            },
        };
    },
};

function needsOf(account: Account, action: string, group: string): Need[] {
    const { tags } = account.find("autoScalingGroups", group);
    return [{ action: `autoscaling:${action}`, on: groupArn(account, group), tags }];
}

function groupOf({ resources }: Account, instance: string): string {
    const { createdBy } = resources.instances[instance] ?? {};
    if (createdBy === undefined) {
        throw new Error(
            `ValidationError: Instance Id not found - No managed instance found for instance ID ${instance}`,
        );
    }
    return createdBy;
}

function lower(account: Account, name: string): void {
    const { desired, least } = account.find("autoScalingGroups", name);
    if (desired === least) {
        const what = `Currently, desiredSize equals minSize (${least}). Terminating instance without replacement will`;
        throw new Error(`ValidationError: ${what} violate group's min size constraint.`);
    }
    account.change("autoScalingGroups", name, (group) => ({ ...group, desired: group.desired - 1 }));
}

const capacityActions: Readonly<Record<string, Action>> = {
    SetDesiredCapacity: setDesiredCapacity,
    TerminateInstanceInAutoScalingGroup: terminateInstance,
};

/** An unknown group is omitted, not an error. */
const describeAutoScalingGroups = readAction("autoscaling:DescribeAutoScalingGroups", ({ account, params }) => {
    const names = textsOf(params, "AutoScalingGroupNames");
    const asked = account.all("autoScalingGroups").filter(({ name }) => names.length === 0 || names.includes(name));
    const found = filtered(params, asked, ({ tags }) => tagValues(tags), { filters: "Filters", values: "Values" });
    return { AutoScalingGroups: found.map((group) => groupSaid(account, group)) };
});

function groupSaid(account: Account, group: AutoScalingGroup) {
    const { name, least, most, desired, subnets, tags } = group;
    const { resources } = account;
    const members = Object.entries(resources.instances).filter(([, { createdBy }]) => createdBy === name);
    const zoneOf = (subnet: string) => resources.subnets[subnet]!.zone;
    return {
        AutoScalingGroupName: name,
        AutoScalingGroupARN: groupArn(account, name),
        MinSize: least,
        MaxSize: most,
        DesiredCapacity: desired,
        DefaultCooldown: 300,
        AvailabilityZones: [...new Set(subnets.map(zoneOf))].sort(),
        ...launchCause(account, group),
        HealthCheckType: "EC2",
        HealthCheckGracePeriod: 0,
        CreatedTime: new Date(0).toISOString(),
        Instances: members.map(([id, instance]) => ({
            InstanceId: id,
            InstanceType: instance.spec?.instanceType,
            AvailabilityZone: zoneOf(instance.subnet),
            LifecycleState: lifecycleState(instance),
            HealthStatus: "Healthy",
            LaunchTemplate: templateSaid(account, instance.createdFrom!),
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
function launchCause(account: Account, { createdFrom, types }: AutoScalingGroup) {
    const template = templateSaid(account, createdFrom);
    if (!types) return { LaunchTemplate: template };
    const Overrides = types.map((InstanceType) => ({ InstanceType }));
    return { MixedInstancesPolicy: { LaunchTemplate: { LaunchTemplateSpecification: template, Overrides } } };
}

function templateSaid({ resources }: Account, createdFrom: string) {
    const [id = "", version] = createdFrom.split(":");
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

/** Launches of its instances, and those that failed: the newest first. */
const describeScalingActivities = readAction("autoscaling:DescribeScalingActivities", ({ account, params }) => {
    const { name, failures = {} } = account.find("autoScalingGroups", textOf(params, "AutoScalingGroupName"));
    const members = Object.entries(account.resources.instances).filter(([, { createdBy }]) => createdBy === name);
    const launched = members.map(([id, { launched: time = "" }]) => ({
        ...{ time, StatusCode: "Successful", Description: `Launching a new EC2 instance: ${id}` },
    }));
    const failed = Object.entries(failures).map(([StatusMessage, time]) => ({
        ...{ time, StatusCode: "Failed", StatusMessage },
        Description: "Launching a new EC2 instance.  Status Reason: see the message",
    }));
    const Activities = [...launched, ...failed]
        .sort((one, other) => other.time.localeCompare(one.time))
        .map(({ time, ...activity }, index) => ({
            ActivityId: `00000000-0000-0000-0000-${String(index).padStart(12, "0")}`,
            AutoScalingGroupName: name,
            Cause: "an instance was started in response to a difference between desired and actual capacity",
            ...{ StartTime: time, EndTime: time, Progress: 100, ...activity },
        }));
    return { Activities };
});

const groupActions: Readonly<Record<string, Action>> = {
    DescribeAutoScalingGroups: describeAutoScalingGroups,
    DescribeScalingActivities: describeScalingActivities,
};

export function groupArn(account: Account, name: string): string {
    return account.arn("autoscaling", `autoScalingGroup:00000000-0000:autoScalingGroupName/${name}`);
}

/** Auto Scaling, as far as instances and cluster-autoscaler use it. Source: its API reference of version 2011-01-01. */
export const autoScaling = queryApi(/^autoscaling\.([a-z0-9-]+\.)?amazonaws\.com$/, [
    {
        version: "2011-01-01",
        dialect: elbDialect,
        actions: { ...groupActions, ...capacityActions, ...lifecycleActions },
    },
]);
