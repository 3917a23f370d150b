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

interface Repeated {
    readonly behaviour: BehaviourName;
    /** Until the call succeeds. */
    readonly seconds: number;
    readonly limit: number;
    /** The error of the last attempt. */
    readonly refusal: string;
    /** Lets simulated seconds pass. */
    readonly pass: (seconds: number) => void;
}

/** Repeats a call until its time has come, or fails as the provider does when its limit ends. */
function repeat({ behaviour, seconds, limit, refusal, pass }: Repeated): void {
    if (seconds <= 0) return;
    met(behaviour);
    pass(Math.min(seconds, limit));
    if (seconds > limit) throw new Error(refusal);
}

/** RunInstances and CreateAutoScalingGroup with a profile that may be new. */
export function awaitProfile(account: Account, name: string | undefined, refusal?: string): void {
    if (name === undefined) return;
    const seconds = delay(account, "profile") - account.age(name);
    const said = `InvalidParameterValue: Value (${name}) for parameter iamInstanceProfile.name is invalid. Invalid IAM Instance Profile name`;
    const pass = (passed: number) => account.waitFor(name, passed);
    repeat({ behaviour: "late profile", seconds, limit: limits.iam, refusal: refusal ?? said, pass });
}

/** The provider's first read of what it has created. */
export function awaitRead(account: Account, id: string): void {
    const refusal = `couldn't find resource: ${id}`;
    const pass = (passed: number) => account.waitFor(id, passed);
    repeat({ behaviour: "late read", seconds: delay(account, "read"), limit: limits.ec2, refusal, pass });
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
    const seconds = (until - account.now) / 1000;
    const pass = (passed: number) => account.wait(passed);
    repeat({ behaviour: "late detach", seconds, limit: limits.deleteVolume, refusal, pass });
}
