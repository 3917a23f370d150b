import { type BehaviourName, met } from "../shared/behaviours";
import type { Account } from "./account";
import type { Delays, Lack } from "./created";
import type { VolumeAttachment } from "./volumes";

const usual: Required<Delays> = { profile: 10, policy: 5, read: 2, detach: 15, terminate: 30 };

export function delay(account: Account, of: keyof Delays): number {
    return account.state.delays?.[of] ?? usual[of];
}

/**
 * How long Pulumi's provider waits, or repeats a call that is refused. Unit: seconds. Source: the Terraform provider, in
 * `internal/service/ec2/consts.go` (IAM two minutes, EC2 five) and the default timeouts of deletion of `aws_instance`,
 * `aws_volume_attachment`, `aws_ebs_volume` and `aws_autoscaling_group`. For RunInstances without capacity it has no
 * time limit but makes 25 attempts (`service_package.go`), which its users measured as 50 minutes.
 */
const limits = {
    iam: 120,
    ec2: 300,
    capacity: 3000,
    terminateInstance: 1200,
    detachVolume: 300,
    deleteVolume: 600,
    deleteGroup: 600,
};

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
export function awaitDetached(
    account: Account,
    volume: string,
    operation: "detachVolume" | "deleteVolume",
    refusal: string,
): void {
    const pass = (passed: number) => account.wait(passed);
    const seconds = secondsToDetach(account, volume);
    repeat({ behaviour: "late detach", seconds, limit: limits[operation], refusal, pass });
}

function secondsToDetach(account: Account, volume: string): number {
    const { until = 0 } = account.resources.volumes[volume]?.detaching ?? {};
    return (until - account.now) / 1000;
}

/** The provider waits until EC2 has terminated an instance, which detaches its volumes before. */
export function awaitTerminated(account: Account, id: string, volumes: readonly string[]): void {
    const own = delay(account, "terminate");
    const seconds = Math.max(own, ...volumes.map((each) => secondsToDetach(account, each)));
    const behaviour = seconds > own ? "late detach" : "late termination";
    const refusal = `waiting for EC2 Instance (${id}) delete: ${timeout("terminated", "shutting-down", "20m0s")}`;
    repeat({ behaviour, seconds, limit: limits.terminateInstance, refusal, pass: (passed) => account.wait(passed) });
}

/** The provider waits until EC2 has terminated the instances of a group, which it shrinks to none first. */
export function awaitDrained(account: Account, group: string): void {
    const refusal = `waiting for Auto Scaling Group (${group}) drain: ${timeout("0", "1", "10m0s")}`;
    const pass = (passed: number) => account.wait(passed);
    const seconds = delay(account, "terminate");
    repeat({ behaviour: "late termination", seconds, limit: limits.deleteGroup, refusal, pass });
}

/** The message of the provider's waits. */
function timeout(expected: string, last: string, limit: string): string {
    return `timeout while waiting for state to become '${expected}' (last state: '${last}', timeout: ${limit})`;
}

/**
 * RunInstances or StartInstances in a zone that may have no capacity for the type.
 *
 * @param what - what the provider does
 */
export function awaitCapacity(
    account: Account,
    zone: string,
    instanceType: string,
    what: { readonly doing: string; readonly call: string } = { doing: "creating EC2 Instance", call: "RunInstances" },
): void {
    const { region, zoneLetters = ["a", "b", "c"] } = account.state;
    const lack = lackOf(account, zone, instanceType);
    if (!lack) return;
    const others = zoneLetters.map((letter) => region + letter).filter((each) => !lackOf(account, each, instanceType));
    const refusal = `${what.doing}: operation error EC2: ${what.call}, exceeded maximum number of attempts, 25, https response error StatusCode: 500, api error InsufficientInstanceCapacity: We currently do not have sufficient ${instanceType} capacity in the Availability Zone you requested (${zone}). Our system will be working on provisioning additional capacity. You can currently get ${instanceType} capacity by not specifying an Availability Zone in your request or choosing ${others.join(", ")}.`;
    const { until = Number.POSITIVE_INFINITY } = lack;
    const pass = (passed: number) => account.wait(passed);
    repeat({
        behaviour: "no capacity",
        seconds: (until - account.now) / 1000,
        limit: limits.capacity,
        refusal,
        pass,
    });
}

/** What EC2 lacks in a zone for an instance type. @returns undefined if it has capacity */
export function lackOf(account: Account, zone: string, instanceType: string): Lack | undefined {
    return account.state.lackedCapacity?.find(
        (each) =>
            account.state.region + each.zone === zone &&
            (each.instanceType ?? instanceType) === instanceType &&
            (each.until ?? Number.POSITIVE_INFINITY) > account.now,
    );
}
