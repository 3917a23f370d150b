import { takenOverFile } from "../../cluster/machines/step-aside";
import type { EtcdSnapshots } from "../../cluster/model";
import { requires } from "../../cluster/validate";
import type { MachinePower } from "../reach/cluster";
import type { ControllerFacts } from "./facts";
import type { RecoverOptions } from "./options";

/** What is known about a machine that may have run the cluster. */
export type Sighting =
    /** It is certainly off, or deleted. */
    | { readonly kind: "off" }
    /** It answered. */
    | { readonly kind: "on"; readonly facts: ControllerFacts }
    /** It may run, and not be reachable from here. With `isOn` it certainly does. */
    | { readonly kind: "silent"; readonly why: string; readonly isOn?: boolean };

/** @throws if the snapshot is in a store that only the role of the controllers' instances can read */
export function requireSnapshotFile(
    { snapshot, store }: Pick<RecoverOptions, "snapshot" | "store">,
    { s3 }: Pick<EtcdSnapshots, "s3">,
): void {
    if (!s3?.instanceRole || (snapshot !== undefined && !store)) return;
    const how = `copy the newest of \`aws s3 ls s3://${s3.bucket}/${s3.prefix}/\``;
    throw requires("--candidate", `--snapshot FILE, since a candidate's role cannot read the bucket: ${how}`);
}

/**
 * Whether another machine may take the place of these, or a problem: two clusters must never serve at one address.
 *
 * @param confirmed - machines that an administrator knows to be off
 * @returns what is known, in words
 * @throws if one of them runs the cluster, or could
 */
export function requireLost(
    sightings: ReadonlyMap<string, Sighting>,
    candidate: string,
    confirmed: readonly string[],
): string[] {
    return [...sightings].map(([name, sighting]) => {
        if (sighting.kind === "off") return `${name} is off`;
        if (sighting.kind === "silent") {
            if (confirmed.includes(name) && sighting.isOn) {
                throw new Error(`${name} is not off: it answers (${sighting.why}); omit it from --off`);
            }
            if (confirmed.includes(name)) return `${name} is off, as you say`;
            throw new Error(
                `${name} does not answer, but it may still run (${sighting.why}). Then two clusters would serve at one address. ` +
                    `Delete its machine, or switch it off, and add --off ${[...confirmed, name].join(",")}`,
            );
        }
        const { hasEtcdData, hasEtcdStaticPod, isEtcdReady } = sighting.facts;
        if (confirmed.includes(name)) throw new Error(`${name} is not off: it answers; omit it from --off`);
        if (!hasEtcdData && !hasEtcdStaticPod && !isEtcdReady) return `${name} is on, and has nothing of a controller`;
        const what = isEtcdReady
            ? "serves etcd"
            : hasEtcdData
              ? "has etcd's data"
              : "is a controller without etcd's data";
        const other = hasEtcdData ? "--from etcd" : "--from snapshot";
        throw new Error(
            `${name} is on and ${what}, so nothing has to take its place: use tradewind recover ${other} --controller ${name}. ` +
                `Only if it is lost for good: delete its machine, or switch it off, and then make ${candidate} a controller`,
        );
    });
}

export type TakeOver = "begin" | "resume" | "done";

/**
 * What to do on the candidate.
 *
 * @param isServing - the API answers
 * @throws if it cannot take over
 */
export function decideTakeOver(name: string, facts: ControllerFacts, isServing: boolean): TakeOver {
    const { last, hasJoined, hasEtcdData, hasEtcdStaticPod, isEtcdReady } = facts;
    if (last && !last.isOver && last.recovery?.from === "snapshot") return "resume";
    if (isServing) {
        if (isEtcdReady) return "done";
        throw new Error(
            `the API answers, so a controller serves; to make ${name} one too, use tradewind promote ${name}`,
        );
    }
    if (hasEtcdData || hasEtcdStaticPod) {
        throw new Error(`${name} is a controller already, or was one: use tradewind recover --controller ${name}`);
    }
    if (!hasJoined) throw new Error(`the kubelet of ${name} has no valid certificate; choose another candidate`);
    return "begin";
}

/**
 * Keeps machines that are off from starting the old cluster: they find a file when they boot, even if nothing serves then.
 *
 * @throws if one was started meanwhile, since bringing a snapshot may take minutes: then it is not lost
 */
export async function keepOut(power: MachinePower, names: readonly string[], candidate: string): Promise<void> {
    const leave = (contents: string) =>
        Promise.all(names.map((name) => power.leave(name, { path: takenOverFile, contents })));
    await leave(`${candidate}\n`);
    const states = await Promise.all(names.map((name) => power.isOff(name)));
    const started = names.filter((_, index) => !states[index]);
    if (started.length === 0) return;
    await leave("");
    throw new Error(`${started.join(", ")} was started meanwhile, so it is not lost; check tradewind status`);
}
