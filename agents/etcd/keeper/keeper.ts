import type { EtcdClient, Member } from "../../../clients/etcd/client";
import { describeMember } from "../../../clients/etcd/members";
import { describeError } from "../../../clients/kubernetes/api-error";
import type { Metric } from "../../harness/metrics";
import { keeperMetrics } from "./metrics";
import { type Observation, observe } from "./observe";
import type { KeeperPlan } from "./plan";
import type { Dated } from "./prune";
import type { Snapshots } from "./snapshots";
import { defragment, defragmentationProblem, makeSpace, mostFragmented } from "./space";
import { isNews, type MembersStatus, type SnapshotStatus } from "./status";

/** How long to wait after a repair that failed or did not help. */
const pauseMilliseconds = 5 * 60_000;

interface KeeperOptions {
    readonly plan: KeeperPlan;
    readonly client: EtcdClient;
    readonly snapshots: Snapshots;
    readonly publish: (part: "members" | "snapshot", status: object) => Promise<void>;
    readonly log: (line: string) => void;
}

/** Maintains etcd: runs one reconcile at a time, each with at most one repair of a kind. */
export class Keeper {
    readonly #options: KeeperOptions;
    readonly #start = new Date();
    #published?: MembersStatus;
    #snapshot?: SnapshotStatus;
    #isSnapshotPublished = true;
    #mended?: MembersStatus["mended"];
    #problem?: string;
    /** Until when nothing is repaired, and no copy repeated: `performance.now()`, since the clock may be set. */
    #pausedUntil = Number.NEGATIVE_INFINITY;
    #copiesAgainAt = Number.NEGATIVE_INFINITY;
    #observed?: Observation;

    constructor(options: KeeperOptions) {
        this.#options = options;
    }

    metrics(): Metric[] {
        const { plan, snapshots } = this.#options;
        return keeperMetrics({
            observed: this.#observed,
            last: snapshots.last(),
            snapshot: this.#snapshot,
            intervalSeconds: plan.snapshots.intervalSeconds,
        });
    }

    async reconcile(): Promise<void> {
        const { plan, client } = this.#options;
        let observed: Observation | undefined;
        try {
            observed = await observe(client, plan.endpoint);
            for (const line of await moveMembers(client)) {
                this.#options.log(line);
            }
            await this.#mend(observed);
        } catch (error) {
            this.#note(describeError(error));
        }
        this.#observed = observed;
        await this.#publishMembers(observed);
        await this.#takeSnapshotIfDue();
        await this.#publishSnapshot();
    }

    async #mend(observed: Observation): Promise<void> {
        const { plan, client } = this.#options;
        const isFull = observed.alarms.some(({ alarm }) => alarm === "NOSPACE");
        const fragmented = mostFragmented(observed.members);
        const isDue = (isFull || fragmented !== undefined) && performance.now() >= this.#pausedUntil;
        const notWell = isDue && !isFull ? defragmentationProblem(observed) : undefined;
        if (notWell !== undefined) {
            this.#note(`skipped defragmentation because a member is not healthy: ${notWell}`);
            return;
        }
        if (!isFull) {
            this.#problem = undefined;
        }
        if (!isDue) {
            return;
        }
        // Even if it helped: a store that fills up at once must not be defragmented all the time.
        this.#pausedUntil = performance.now() + pauseMilliseconds;
        const done = isFull
            ? await makeSpace(client, plan.endpoint, observed)
            : [await defragment(client, plan.endpoint, fragmented!)];
        for (const line of done) {
            this.#options.log(line);
        }
        this.#problem = done.find((line) => line.startsWith("the alarm stays"));
        this.#mended = { time: new Date().toISOString(), message: done.join("; ") };
    }

    async #takeSnapshotIfDue(): Promise<void> {
        const { plan, snapshots } = this.#options;
        if (this.#next() > new Date()) {
            return this.#retryCopy();
        }
        this.#snapshot = await snapshots.take("timer");
        this.#copiesAgainAt = performance.now() + pauseMilliseconds;
        this.#snapshot = { ...this.#snapshot, next: this.#next().toISOString() };
        this.#isSnapshotPublished = false;
        this.#options.log(
            `the next snapshot is due at ${this.#snapshot.next} (every ${plan.snapshots.intervalSeconds} s)`,
        );
    }

    async #retryCopy(): Promise<void> {
        if (this.#snapshot?.copyFailure && performance.now() >= this.#copiesAgainAt) {
            this.#snapshot = await this.#options.snapshots.copy(this.#snapshot);
            this.#copiesAgainAt = performance.now() + pauseMilliseconds;
            this.#isSnapshotPublished = false;
        }
    }

    #next(): Date {
        const { plan, snapshots } = this.#options;
        const past = { last: snapshots.last(), start: this.#start, failure: this.#snapshot?.failure };
        return nextSnapshot(plan.snapshots.intervalSeconds, past, new Date());
    }

    async #publishMembers(observed: Observation | undefined): Promise<void> {
        const status: MembersStatus = {
            time: new Date().toISOString(),
            clusterId: observed?.clusterId,
            members: (observed?.members ?? []).map(({ clientUrl, ...member }) => member),
            alarms: observed?.alarms ?? [],
            problem: this.#problem,
            mended: this.#mended,
        };
        if (isNews(this.#published, status) && (await this.#publish("members", status))) {
            this.#published = status;
        }
    }

    async #publishSnapshot(): Promise<void> {
        if (!this.#isSnapshotPublished && this.#snapshot) {
            this.#isSnapshotPublished = await this.#publish("snapshot", this.#snapshot);
        }
    }

    /**
     * Returns whether it worked. If the API is down or etcd is full, only the log has the status, and the next
     * reconcile tries again.
     */
    async #publish(part: "members" | "snapshot", status: object): Promise<boolean> {
        try {
            await this.#options.publish(part, status);
            return true;
        } catch (error) {
            this.#options.log(`could not publish the status: ${describeError(error)}`);
            return false;
        }
    }

    #note(problem: string): void {
        if (problem !== this.#problem) {
            this.#options.log(problem);
        }
        this.#problem = problem;
    }
}

/**
 * Updates the peer URLs of members that moved. A member whose machine was recreated with its data but another address
 * advertises the address to clients, not to its peers. A lone member needs no peers, but the first one to join would
 * not find it.
 */
export async function moveMembers(client: EtcdClient): Promise<string[]> {
    const moved = (await client.members()).flatMap((member) => {
        const url = newPeerUrl(member);
        return url === undefined ? [] : [{ member, url }];
    });
    for (const { member, url } of moved) {
        await client.update(member.ID, url);
    }
    return moved.map(({ member, url }) => `${describeMember(member)} is at ${url} now`);
}

/** The member's real peer address, if its peers have another one: clients and peers use the same address. */
export function newPeerUrl({ clientURLs: [clientUrl] = [], peerURLs: [peerUrl] = [] }: Member): string | undefined {
    if (clientUrl === undefined || peerUrl === undefined) {
        return undefined;
    }
    const [client, peer] = [new URL(clientUrl), new URL(peerUrl)];
    return client.hostname === peer.hostname ? undefined : `https://${client.hostname}:${peer.port}`;
}

/** Gives a new or restarted cluster time to settle first. */
const settleMilliseconds = 60_000;
/** After a failure. Retrying faster does not help against a full disk. */
const retryMilliseconds = 5 * 60_000;

interface Past {
    readonly last?: Dated;
    /** When the keeper started. */
    readonly start: Date;
    readonly failure?: Dated;
}

/**
 * When the next snapshot is due. Snapshots dated in the future came from a clock that was ahead and postpone nothing.
 */
export function nextSnapshot(intervalSeconds: number, { last, start, failure }: Past, now: Date): Date {
    const after = (time: number | undefined, milliseconds: number) =>
        time !== undefined && time <= now.getTime() ? time + milliseconds : 0;
    const parsed = (dated?: Dated) => dated && Date.parse(dated.time);
    const regular = last ? after(parsed(last), intervalSeconds * 1000) : after(start.getTime(), settleMilliseconds);
    return new Date(Math.max(regular, after(parsed(failure), Math.min(retryMilliseconds, intervalSeconds * 1000))));
}
