import { join } from "node:path";
import type { EtcdClient } from "../../../clients/etcd/client";
import { describeError } from "../../../clients/kubernetes/api-error";
import { type Lock, takeLock } from "../../harness/lock";
import { SnapshotDirectory, type Trigger } from "./directory";
import type { KeeperPlan } from "./plan";
import { expired, newestFirst } from "./prune";
import { takeSnapshot } from "./snapshot";
import { SnapshotStore } from "./snapshot-store";
import type { SnapshotStatus } from "./status";

export interface SnapshotsOptions {
    readonly plan: KeeperPlan;
    readonly client: EtcdClient;
    readonly node: string;
    readonly log: (line: string) => void;
}

/** This machine's snapshots: takes, keeps and removes them, one run at a time. */
export class Snapshots {
    readonly #options: SnapshotsOptions;
    readonly #directory: SnapshotDirectory;
    readonly #store?: SnapshotStore;

    constructor(options: SnapshotsOptions) {
        this.#options = options;
        const { s3 } = options.plan.snapshots;
        this.#store = s3 && new SnapshotStore(s3, options.plan.clusterName);
        this.#directory = new SnapshotDirectory(options.plan.snapshots.directory, options.plan.clusterName);
    }

    last() {
        return newestFirst(this.#directory.list(), new Date())[0];
    }

    /** Takes a snapshot and removes those beyond the retention limits. Never throws: failures are in the status. */
    async take(trigger: Trigger): Promise<SnapshotStatus> {
        const { plan, log } = this.#options;
        const { directory } = plan.snapshots;
        let now = new Date();
        let lock: Lock | undefined;
        try {
            lock = await takeLock(join(directory, "lock"), () => log("another snapshot is being taken; waiting"));
            now = new Date();
            this.#directory.create();
            this.#cleanUp();
            const last = await takeSnapshot({ ...this.#options, directory: this.#directory, trigger, now });
            log(`snapshot ${last.name}: revision ${last.revision}, ${last.keys} keys, ${last.size} bytes, verified`);
            this.#prune(now);
            return await this.#withCopy({ last, directory, isVerified: true, count: this.#directory.list().length });
        } catch (error) {
            const message = describeError(error);
            log(`snapshot failed: ${message}`);
            const whole = this.#directory.list();
            const failure = { time: now.toISOString(), message };
            return {
                last: newestFirst(whole, now)[0],
                directory,
                isVerified: whole.length > 0,
                count: whole.length,
                failure,
            };
        } finally {
            lock?.release();
        }
    }

    /** Retries a failed copy to the store. */
    async copy(status: SnapshotStatus): Promise<SnapshotStatus> {
        const { copyFailure, ...rest } = status;
        return this.#withCopy(rest);
    }

    async #withCopy(status: SnapshotStatus): Promise<SnapshotStatus> {
        const { plan, log } = this.#options;
        const { last } = status;
        if (this.#store === undefined || last === undefined) {
            return status;
        }
        const now = new Date();
        try {
            const object = await this.#store.add(last, this.#directory.file(last.name));
            log(`stored ${object}, verified`);
            for (const name of await this.#store.prune(plan.snapshots.retention, now)) {
                log(`removed the snapshot ${name} from the store`);
            }
            return { ...status, object };
        } catch (error) {
            const message = describeError(error);
            log(`the copy of ${last.name} failed: ${message}`);
            return { ...status, copyFailure: { time: now.toISOString(), message } };
        }
    }

    #cleanUp(): void {
        for (const name of this.#directory.cleanUp()) {
            this.#options.log(`removed ${name}, left by a killed run`);
        }
    }

    #prune(now: Date): void {
        for (const { name } of expired(this.#directory.list(), this.#options.plan.snapshots.retention, now)) {
            this.#directory.remove(name);
            this.#options.log(`removed the snapshot ${name}`);
        }
    }
}
