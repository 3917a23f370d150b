import type { Account } from "../../account";

export function groupArn(account: Account, name: string): string {
    return account.arn("autoscaling", `autoScalingGroup:00000000-0000:autoScalingGroupName/${name}`);
}
