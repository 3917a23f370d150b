import { release } from "../lifecycle-hook";
import type { Action, Call } from "./query/action";
import { textOf } from "./query/params";
import { elbDialect, queryApi } from "./query/protocol";

/** By the instance: tokens are told to who is notified, and nobody is here. */
const completeLifecycleAction: Action = {
    needs: ({ account, params }) => {
        const name = textOf(params, "AutoScalingGroupName");
        const on = account.arn("autoscaling", `autoScalingGroup:00000000-0000:autoScalingGroupName/${name}`);
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

/** Auto Scaling, as far as its groups' instances ask it. Source: its API reference of version 2011-01-01. */
export const autoScaling = queryApi(/^autoscaling\.([a-z0-9-]+\.)?amazonaws\.com$/, [
    {
        version: "2011-01-01",
        dialect: elbDialect,
        actions: { CompleteLifecycleAction: completeLifecycleAction },
    },
]);
