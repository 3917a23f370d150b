import { type BehaviourName, met } from "../shared/behaviours";
import type { Account } from "./account";
import type { Delays } from "./made";
import type { VolumeAttachment } from "./volumes";

const usual: Required<Delays> = { profile: 10, policy: 5, read: 2, detach: 15 };

export function delay(account: Account, of: keyof Delays): number {
    return account.state.delays?.[of] ?? usual[of];
}

/**
 * How long Pulumi's provider repeats a call that an eventually consistent service refuses. Unit: seconds. Source:
 * `internal/service/ec2/consts.go` of the Terraform provider (IAM two minutes, EC2 five), and the default timeout of
 * `aws_ebs_volume`.
 */
const limits = { iam: 120, ec2: 300, deleteVolume: 600 };

/** Repeats a call until its time has come, or fails as the provider does when its limit ends. */
function repeat(account: Account, behaviour: BehaviourName, seconds: number, limit: number, refusal: string): void {
    if (seconds <= 0) return;
    met(behaviour);
    account.wait(Math.min(seconds, limit));
    if (seconds > limit) throw new Error(refusal);
}

/** RunInstances and CreateAutoScalingGroup with a profile that may be new. */
export function awaitProfile(account: Account, name: string | undefined, refusal?: string): void {
    if (name === undefined) return;
    const left = delay(account, "profile") - account.age(name);
    const said = `InvalidParameterValue: Value (${name}) for parameter iamInstanceProfile.name is invalid. Invalid IAM Instance Profile name`;
    repeat(account, "late profile", left, limits.iam, refusal ?? said);
}

/** The provider's first read of what it has created. */
export function awaitRead(account: Account, id: string): void {
    repeat(account, "late read", delay(account, "read"), limits.ec2, `couldn't find resource: ${id}`);
}

/** Whether EC2 describes a resource to programs in the cluster: they repeat their calls themselves. */
export function isDescribed(account: Account, id: string): boolean {
    const isKnown = account.age(id) >= delay(account, "read");
    if (!isKnown) met("late read");
    return isKnown;
}

/** The attachment of a volume that is still detaching. */
export function detachingOf(account: Account, volume: string): VolumeAttachment | undefined {
    const { detaching } = account.resources.volumes[volume] ?? {};
    if (!detaching || detaching.until <= account.now) return undefined;
    met("late detach");
    return detaching;
}

/** Removes an attachment; its volume is detaching for a while. @param seconds - as its account's volumes by default */
export function beginDetaching(account: Account, id: string, seconds = delay(account, "detach")): void {
    const attachment = account.find("volumeAttachments", id);
    account.remove("volumeAttachments", id);
    const detaching = { ...attachment, state: "detaching", until: account.now + seconds * 1000 } as const;
    account.change("volumes", attachment.volume, (now) => ({ ...now, detaching }));
}

/** The provider waits until a volume is detached. */
export function awaitDetached(account: Account, volume: string, refusal: string): void {
    const { until = 0 } = account.resources.volumes[volume]?.detaching ?? {};
    repeat(account, "late detach", (until - account.now) / 1000, limits.deleteVolume, refusal);
}
