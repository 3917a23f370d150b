import { release } from "../../lifecycle-hook";
import type { Action, Call } from "../query/action";
import { textOf } from "../query/params";
import { groupArn } from "./groups";

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
    const { waiting, madeBy } = account.resources.instances[instance] ?? {};
    const isIn = madeBy === group && account.resources.lifecycleHooks[hook]?.group === group;
    return isIn && waiting !== undefined && Date.parse(waiting.until) > Date.now();
}

export const lifecycleActions: Readonly<Record<string, Action>> = {
    CompleteLifecycleAction: completeLifecycleAction,
};
