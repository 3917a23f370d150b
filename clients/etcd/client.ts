import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { text } from "node:stream/consumers";
import { describeError } from "../kubernetes/api-error";

export interface EtcdCredentials {
    readonly ca: string;
    readonly cert: string;
    readonly key: string;
}

/** A member of the cluster. etcd's JSON contains 64-bit numbers as strings. */
export interface Member {
    readonly ID: string;
    /** Empty until the member has started once. */
    readonly name?: string;
    readonly peerURLs?: readonly string[];
    readonly clientURLs?: readonly string[];
    readonly isLearner?: boolean;
}

interface Status {
    readonly header: { readonly cluster_id: string; readonly member_id: string; readonly revision: string };
    /** Version of etcd. */
    readonly version: string;
    /** Size of the database file in bytes, of which `dbSizeInUse` contain data. */
    readonly dbSize: string;
    readonly dbSizeInUse: string;
    /** Quota in bytes at which it stops accepting writes. */
    readonly dbSizeQuota?: string;
    /** Alarms and other errors. */
    readonly errors?: readonly string[];
    /** "0" or absent if it knows no leader. */
    readonly leader?: string;
    /** Version that can read its database file. */
    readonly storageVersion?: string;
    /** Whether the members are about to go back to an older minor version. */
    readonly downgradeInfo?: { readonly enabled?: boolean; readonly targetVersion?: string };
}

interface RaisedAlarm {
    readonly memberID: string;
    readonly alarm: "NOSPACE" | "CORRUPT";
}

/** More than etcd's own request timeout, after which it answers "request timed out". */
const requestMilliseconds = 10_000;

/** An etcd client over the JSON gateway. Does not retry: callers decide. */
export class EtcdClient {
    /** The one that answered last is the first: each request to a machine that is cut off takes ten seconds. */
    #endpoints: readonly string[];
    readonly #credentials: () => EtcdCredentials;

    /** @param credentials - called for every request, because they are renewed */
    constructor(endpoints: readonly string[], credentials: () => EtcdCredentials) {
        this.#endpoints = endpoints;
        this.#credentials = credentials;
    }

    /** The members according to a majority, not a single member. */
    async members(): Promise<readonly Member[]> {
        return (await this.ask<{ members: Member[] }>("cluster/member/list", { linearizable: true })).members;
    }

    /** Adds a learner: a member that receives the data but has no vote. */
    async addLearner(peerUrl: string): Promise<void> {
        await this.ask("cluster/member/add", { peerURLs: [peerUrl], isLearner: true });
    }

    /** Updates the peer URL of a member. */
    async update(ID: string, peerUrl: string): Promise<void> {
        await this.ask("cluster/member/update", { ID, peerURLs: [peerUrl] });
    }

    async promote(ID: string): Promise<void> {
        await this.ask("cluster/member/promote", { ID });
    }

    async remove(ID: string): Promise<void> {
        await this.ask("cluster/member/remove", { ID });
    }

    /** Makes the leader at this URL transfer its leadership to another voter. */
    async moveLeader(leaderUrl: string, targetID: string): Promise<void> {
        await this.send(leaderUrl, "maintenance/transfer-leadership", { targetID });
    }

    /** Makes all members store as the previous minor version (`3.6`), or as their own again. */
    async downgrade(action: "ENABLE" | "CANCEL", minor?: string): Promise<void> {
        await this.ask("maintenance/downgrade", { action, ...(minor && { version: `${minor}.0` }) });
    }

    /** Status reported by a member; learners answer too. */
    status(clientUrl: string, milliseconds?: number): Promise<Status> {
        return this.send(clientUrl, "maintenance/status", {}, milliseconds);
    }

    async alarms(clientUrl: string): Promise<readonly RaisedAlarm[]> {
        const { alarms = [] } = await this.send<{ alarms?: RaisedAlarm[] }>(clientUrl, "maintenance/alarm", {
            action: "GET",
        });
        return alarms;
    }

    /** Queries one member. `milliseconds` limits the whole response. @throws EtcdError */
    async send<T>(clientUrl: string, path: string, body: object, milliseconds = requestMilliseconds): Promise<T> {
        try {
            const answer = await this.open(clientUrl, path, body, AbortSignal.timeout(milliseconds));
            return JSON.parse(await text(answer));
        } catch (error) {
            throw error instanceof EtcdError ? error : new EtcdError(`${clientUrl}: ${describeError(error)}`);
        }
    }

    /** A member's response as a stream. @throws EtcdError unless it is successful */
    async open(clientUrl: string, path: string, body: object, signal: AbortSignal): Promise<IncomingMessage> {
        const payload = JSON.stringify(body);
        const options = {
            ...this.#credentials(),
            method: "POST",
            agent: false as const,
            signal,
            headers: { "content-type": "application/json", "content-length": Buffer.byteLength(payload) },
        };
        const answer = await new Promise<IncomingMessage>((resolve, reject) => {
            const sent = request(`${clientUrl}/v3/${path}`, options, resolve);
            sent.on("error", (error) => reject(new EtcdError(`${clientUrl}: ${describeError(error)}`)));
            sent.end(payload);
        });
        if (answer.statusCode !== 200) {
            const refused = refusal(answer.statusCode ?? 0, await text(answer));
            throw new EtcdError(`${clientUrl}: ${refused}`);
        }
        return answer;
    }

    /** The first successful response; tries the next endpoint if one is down or not a voter. @throws EtcdError */
    async ask<T>(path: string, body: object): Promise<T> {
        const failures: string[] = [];
        for (const endpoint of this.#endpoints) {
            try {
                const answer = await this.send<T>(endpoint, path, body);
                this.#endpoints = [endpoint, ...this.#endpoints.filter((other) => other !== endpoint)];
                return answer;
            } catch (error) {
                failures.push(describeError(error));
            }
        }
        throw new EtcdError(failures.join("; "));
    }
}

/** etcd could not be reached or refused a request. Retrying may succeed. */
export class EtcdError extends Error {
    override readonly name = "EtcdError";
}

/** The error in a response of etcd's JSON gateway, such as `etcdserver: unhealthy cluster`. */
function refusal(status: number, text: string): string {
    try {
        return (JSON.parse(text) as { message?: string }).message || `answers ${status}`;
    } catch {
        return `answers ${status}: ${text.trim().slice(0, 200)}`;
    }
}
