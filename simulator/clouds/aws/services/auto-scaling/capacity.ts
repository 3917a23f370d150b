import type { Account } from "../../account";
import { leave, whenAlone } from "../../scaling";
import type { Action, Need } from "../query/action";
import { numberOf, textOf } from "../query/params";
import { groupArn } from "./groups";

/** Must be between the group's minimum and maximum. */
const setDesiredCapacity: Action = {
    needs: ({ account, params }) => needsOf(account, "SetDesiredCapacity", textOf(params, "AutoScalingGroupName")),
    run: ({ account, params }) => {
        const [name, wanted] = [textOf(params, "AutoScalingGroupName"), numberOf(params, "DesiredCapacity")];
        const { least, most } = account.find("autoScalingGroups", name);
        const beyond = (where: string, limit: number) => {
            const what = `New SetDesiredCapacity value ${wanted} is ${where} value ${limit} for the AutoScalingGroup.`;
            return new Error(`ValidationError: ${what}`);
        };
        if (wanted < least) throw beyond("below min", least);
        if (wanted > most) throw beyond("above max", most);
        account.change("autoScalingGroups", name, (group) => ({ ...group, desired: wanted }));
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
    const { madeBy } = resources.instances[instance] ?? {};
    if (madeBy === undefined) {
        throw new Error(
            `ValidationError: Instance Id not found - No managed instance found for instance ID ${instance}`,
        );
    }
    return madeBy;
}

function lower(account: Account, name: string): void {
    const { desired, least } = account.find("autoScalingGroups", name);
    if (desired === least) {
        const what = `Currently, desiredSize equals minSize (${least}). Terminating instance without replacement will`;
        throw new Error(`ValidationError: ${what} violate group's min size constraint.`);
    }
    account.change("autoScalingGroups", name, (group) => ({ ...group, desired: group.desired - 1 }));
}

export const capacityActions: Readonly<Record<string, Action>> = {
    SetDesiredCapacity: setDesiredCapacity,
    TerminateInstanceInAutoScalingGroup: terminateInstance,
};
