import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { text } from "node:stream/consumers";
import { describeError } from "../kubernetes/api-error";

export interface EtcdCredentials {
    readonly ca: string;
    readonly cert: string;
    readonly key: string;
}

/** A member as the cluster lists it. Numbers of 64 bits are text in etcd's JSON. */
export interface Member {
    readonly ID: string;
    /** Empty until the member has started for the first time. */
    readonly name?: string;
    readonly peerURLs?: readonly string[];
    readonly clientURLs?: readonly string[];
    readonly isLearner?: boolean;
}

interface Status {
    readonly header: { readonly cluster_id: string; readonly member_id: string; readonly revision: string };
    /** etcd's own. */
    readonly version: string;
    /** Bytes of the store's file, of which `dbSizeInUse` are data. */
    readonly dbSize: string;
    readonly dbSizeInUse: string;
    /** Bytes at which it stops taking writes. */
    readonly dbSizeQuota?: string;
    /** Alarms, among others. */
    readonly errors?: readonly string[];
    /** "0" or absent: it knows of no leader. */
    readonly leader?: string;
}

interface RaisedAlarm {
    readonly memberID: string;
    readonly alarm: "NOSPACE" | "CORRUPT";
}

/** More than etcd itself gives a request before it answers "request timed out". */
const requestMilliseconds = 10_000;

/** An etcd cluster by its JSON gateway. No retries: callers know what is worth one. */
export class EtcdClient {
    readonly #endpoints: readonly string[];
    readonly #credentials: () => EtcdCredentials;

    /** @param credentials - asked for at every request, since they become others */
    constructor(endpoints: readonly string[], credentials: () => EtcdCredentials) {
        this.#endpoints = endpoints;
        this.#credentials = credentials;
    }

    /** The members as a majority knows them, not as one member remembers. */
    async members(): Promise<readonly Member[]> {
        return (await this.ask<{ members: Member[] }>("cluster/member/list", { linearizable: true })).members;
    }

    /** Adds a member that gets the data and has no vote. */
    async addLearner(peerUrl: string): Promise<void> {
        await this.ask("cluster/member/add", { peerURLs: [peerUrl], isLearner: true });
    }

    /** Tells the others where a member is. */
    async update(ID: string, peerUrl: string): Promise<void> {
        await this.ask("cluster/member/update", { ID, peerURLs: [peerUrl] });
    }

    async promote(ID: string): Promise<void> {
        await this.ask("cluster/member/promote", { ID });
    }

    async remove(ID: string): Promise<void> {
        await this.ask("cluster/member/remove", { ID });
    }

    /** Has the leader, at this URL, hand over to another voter. */
    async moveLeader(leaderUrl: string, targetID: string): Promise<void> {
        await this.send(leaderUrl, "maintenance/transfer-leadership", { targetID });
    }

    /** What one member says of itself; a learner answers too. */
    status(clientUrl: string): Promise<Status> {
        return this.send(clientUrl, "maintenance/status", {});
    }

    async alarms(clientUrl: string): Promise<readonly RaisedAlarm[]> {
        const { alarms = [] } = await this.send<{ alarms?: RaisedAlarm[] }>(clientUrl, "maintenance/alarm", {
            action: "GET",
        });
        return alarms;
    }

    /** Asks one member. `milliseconds` is for the whole answer. @throws EtcdError */
    async send<T>(clientUrl: string, path: string, body: object, milliseconds = requestMilliseconds): Promise<T> {
        try {
            const answer = await this.open(clientUrl, path, body, AbortSignal.timeout(milliseconds));
            return JSON.parse(await text(answer));
        } catch (error) {
            throw error instanceof EtcdError ? error : new EtcdError(`${clientUrl}: ${describeError(error)}`);
        }
    }

    /** The answer of one member as a stream. @throws EtcdError unless it is a good one */
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

    /** The first good answer. Endpoints that are down, or no voters, leave the question to the next. @throws EtcdError */
    async ask<T>(path: string, body: object): Promise<T> {
        const failures: string[] = [];
        for (const endpoint of this.#endpoints) {
            try {
                return await this.send<T>(endpoint, path, body);
            } catch (error) {
                failures.push(describeError(error));
            }
        }
        throw new EtcdError(failures.join("; "));
    }
}

/** etcd could not be asked, or refused. It may do otherwise a moment later. */
export class EtcdError extends Error {
    override readonly name = "EtcdError";
}

/** What etcd's JSON gateway says in an answer other than 200, such as `etcdserver: unhealthy cluster`. */
function refusal(status: number, text: string): string {
    try {
        return (JSON.parse(text) as { message?: string }).message || `answers ${status}`;
    } catch {
        return `answers ${status}: ${text.trim().slice(0, 200)}`;
    }
}
