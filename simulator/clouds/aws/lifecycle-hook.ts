import { oneOf, required, text } from "../shared/inputs";
import type { Simulated } from "../shared/simulated";
import type { Account } from "./account";
import { wholeNumber } from "./rules";
import { membersOf, whenAlone } from "./scaling";

/**
 * A lifecycle hook of an Auto Scaling group, which delays the termination of instances.
 *
 * Source: "Amazon EC2 Auto Scaling lifecycle hooks", and the API reference of PutLifecycleHook.
 */
export const lifecycleHook: Simulated<Account> = {
    inputs: {
        name: text("a hook's name", /^[A-Za-z0-9\-_/]{1,255}$/, required),
        autoscalingGroupName: text("a group's name", /^[^:]{1,255}$/, required),
        lifecycleTransition: oneOf(["autoscaling:EC2_INSTANCE_TERMINATING"], required),
        heartbeatTimeout: wholeNumber(30, 7200, required),
        // Either result ends a termination the same way.
        defaultResult: oneOf(["CONTINUE", "ABANDON"]),
    },
    outputs: [],
    async create(account, { name, autoscalingGroupName, heartbeatTimeout }) {
        const [hook, group] = [String(name), String(autoscalingGroupName)];
        account.find("autoScalingGroups", group);
        if (account.all("lifecycleHooks").some((each) => each.group === group)) {
            throw new Error("several hooks of a group are not simulated");
        }
        account.put("lifecycleHooks", hook, { name: hook, group, seconds: Number(heartbeatTimeout) });
        return { id: hook };
    },
    async update(account, id, { heartbeatTimeout }) {
        account.change("lifecycleHooks", id, (hook) => ({ ...hook, seconds: Number(heartbeatTimeout) }));
        return undefined;
    },
    /** Instances waiting for it continue. */
    async delete(account, id) {
        await whenAlone(account, async () => {
            const { group } = account.find("lifecycleHooks", id);
            for (const member of membersOf(account, group)) {
                if (account.find("instances", member).waiting) release(account, member);
            }
            account.remove("lifecycleHooks", id);
        });
    },
};

/** Completes the lifecycle action of an instance. */
export function release(account: Account, instance: string): void {
    const waiting = { until: new Date().toISOString(), isReleased: true };
    account.change("instances", instance, (now) => ({ ...now, waiting }));
}
