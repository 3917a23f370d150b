import assert from "node:assert/strict";
import { mock } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { WatchEvent, Watcher } from "../../../../clients/kubernetes/api-client";
import { ApiError } from "../../../../clients/kubernetes/api-error";
import type { Node, With } from "../../../../clients/kubernetes/objects";
import { WatchedList } from "../../../../clients/kubernetes/watched-list";

type Known = With<Node, "uid">;

const node = (name: string, unschedulable = false) => ({ metadata: { name, uid: name }, spec: { unschedulable } });

describe("a watched list", () => {
    let nodes: ReturnType<typeof node>[];
    let requests: string[];
    let report: (event: WatchEvent<unknown>) => void;
    let end: (error?: Error) => void;
    const api: Watcher = {
        call: async <T>(path: string) => {
            requests.push(path);
            return { items: nodes, metadata: { resourceVersion: "7" } } as T;
        },
        watch: (path, onEvent, _milliseconds, onOpen) => {
            requests.push(path.replace(/timeoutSeconds=\d+/, "…"));
            report = onEvent as typeof report;
            onOpen?.();
            return new Promise((resolve, reject) => {
                end = (error) => (error ? reject(error) : resolve());
            });
        },
    };
    const listed = [
        "/api/v1/nodes?resourceVersion=0",
        "/api/v1/nodes?watch=true&allowWatchBookmarks=true&resourceVersion=7&…",
    ];
    let list: WatchedList<Known>;
    const names = async () => (await list.read()).map(({ metadata }) => metadata.name);

    beforeEach(() => {
        nodes = [node("a")];
        requests = [];
        list = new WatchedList<Known>(api, "/api/v1/nodes");
    });

    it("is listed once, and follows what the watch reports without another request", async () => {
        assert.deepEqual(await names(), ["a"]);
        report({ type: "ADDED", object: node("b") });
        report({ type: "MODIFIED", object: node("a", true) });
        assert.deepEqual(
            (await list.read()).map(({ spec }) => spec?.unschedulable),
            [true, false],
        );
        report({ type: "DELETED", object: node("a") });
        report({ type: "BOOKMARK", object: { metadata: { resourceVersion: "9" } } });
        assert.deepEqual(await names(), ["b"]);
        assert.deepEqual(requests, listed);
    });

    it("is listed again once a watch ended at once, failed or expired", async () => {
        const ends: (() => unknown)[] = [
            () => end(),
            () => end(new ApiError(403, "forbidden")),
            () => {
                try {
                    report({ type: "ERROR", object: { code: 410 } });
                } catch (error) {
                    end(error as Error);
                }
            },
        ];
        for (const [index, stop] of ends.entries()) {
            await names();
            stop();
            await setImmediate();
            nodes = [node(`after ${index}`)];
            assert.deepEqual(await names(), [`after ${index}`]);
        }
        assert.equal(requests.length, 8);
    });

    it("keeps the selectors of its path, and only the fields that are needed", async () => {
        const keep = ({ metadata: { name, uid } }: Known) => ({ metadata: { name, uid } });
        list = new WatchedList<Known>(api, "/api/v1/nodes?labelSelector=a", keep);
        assert.deepEqual(await list.read(), [{ metadata: { name: "a", uid: "a" } }]);
        assert.deepEqual(requests, [
            "/api/v1/nodes?labelSelector=a&resourceVersion=0",
            "/api/v1/nodes?labelSelector=a&watch=true&allowWatchBookmarks=true&resourceVersion=7&…",
        ]);
    });
});

/** An API behind a load balancer that closes idle connections; its time is the mocked one. Unit: seconds. */
class BalancedApi implements Watcher {
    lists = 0;
    watches = 0;
    version = 1;
    readonly nodes = new Map<string, Known>();
    /** How long a watch takes to open. */
    opening = 0;
    isDown = false;
    #streams: { readonly send: (event: WatchEvent<unknown>) => void; readonly cut: () => void }[] = [];

    constructor(private readonly idleLimit: number) {}

    async call<T>(): Promise<T> {
        this.lists++;
        if (this.isDown) throw new Error("connect ECONNREFUSED");
        return { items: [...this.nodes.values()], metadata: { resourceVersion: String(this.version) } } as T;
    }

    watch<T>(path: string, onEvent: (event: WatchEvent<T>) => void, _timeout: number, onOpen?: () => void) {
        this.watches++;
        const query = new URLSearchParams(path.split("?")[1]);
        const [seconds, since] = [Number(query.get("timeoutSeconds")), Number(query.get("resourceVersion"))];
        return new Promise<void>((resolve, reject) => {
            if (this.isDown) return reject(new Error("connect ECONNREFUSED"));
            const start = () => {
                onOpen?.();
                const cut = () => stop(() => reject(new Error("socket hang up")));
                let idle = setTimeout(cut, this.idleLimit * 1000);
                const send = (event: WatchEvent<unknown>) => {
                    clearTimeout(idle);
                    idle = setTimeout(cut, this.idleLimit * 1000);
                    onEvent(event as WatchEvent<T>);
                };
                const stream = { send, cut };
                const end = setTimeout(() => stop(resolve), seconds * 1000);
                const stop = (settle: () => void) => {
                    clearTimeout(idle);
                    clearTimeout(end);
                    this.#streams = this.#streams.filter((each) => each !== stream);
                    settle();
                };
                this.#streams.push(stream);
                // What changed between two watches.
                for (const object of this.nodes.values()) {
                    if (Number(object.metadata.resourceVersion) > since) send({ type: "ADDED", object });
                }
            };
            if (this.opening === 0) start();
            else setTimeout(start, this.opening * 1000);
        });
    }

    add(name: string): void {
        this.version++;
        const object = { metadata: { name, uid: name, resourceVersion: String(this.version) } };
        this.nodes.set(name, object);
        for (const { send } of this.#streams) send({ type: "ADDED", object });
    }

    cutAll(): void {
        for (const { cut } of this.#streams) cut();
    }
}

describe("a watched list behind a load balancer that closes idle connections after a minute", () => {
    let api: BalancedApi;
    let list: WatchedList<Known>;
    const names = async () => (await list.read()).map(({ metadata }) => metadata.name);
    /** Lets time pass; reads each second. */
    const pass = async (seconds: number) => {
        for (let second = 0; second < seconds; second++) {
            mock.timers.tick(1_000);
            await setImmediate();
            await list.read();
        }
    };

    beforeEach(() => {
        mock.timers.enable({ apis: ["setTimeout", "Date"] });
        api = new BalancedApi(60);
        api.add("a");
        list = new WatchedList<Known>(api, "/api/v1/nodes", undefined, 60);
    });
    afterEach(() => mock.timers.reset());

    it("is listed once in ten minutes in which nothing happens", async () => {
        await list.read();
        await pass(600);
        assert.equal(api.lists, 1);
        assert.ok(api.watches >= 11 && api.watches <= 14, `${api.watches} watches`);
    });

    it("is watched for longer at a time if none does", async () => {
        api = new BalancedApi(3_600);
        list = new WatchedList<Known>(api, "/api/v1/nodes");
        await list.read();
        await pass(600);
        assert.deepEqual([api.lists, api.watches], [1, 3]);
    });

    it("has what changed between two watches, for which a read waits without listing", async () => {
        await list.read();
        api.opening = 3;
        while (api.watches === 1) {
            mock.timers.tick(1_000);
            await setImmediate();
        }
        api.add("b");
        const read = names();
        mock.timers.tick(3_000);
        assert.deepEqual(await read, ["a", "b"]);
        assert.deepEqual([api.lists, api.watches], [1, 2]);
    });

    it("is listed if the next watch does not open within five seconds, and then followed once", async () => {
        await list.read();
        api.opening = 20;
        while (api.watches === 1) {
            mock.timers.tick(1_000);
            await setImmediate();
        }
        api.add("b");
        api.opening = 0;
        const read = names();
        mock.timers.tick(5_000);
        assert.deepEqual(await read, ["a", "b"]);
        assert.deepEqual([api.lists, api.watches], [2, 3]);
        await pass(100);
        // The late watch has ended, and nothing continues it.
        assert.equal(api.lists, 2);
        assert.ok(api.watches <= 6, `${api.watches} watches`);
    });

    it("fails to be read while the API can't be reached", async () => {
        await list.read();
        api.isDown = true;
        api.cutAll();
        await setImmediate();
        await assert.rejects(list.read(), /ECONNREFUSED/);
        api.isDown = false;
        api.add("b");
        assert.deepEqual(await names(), ["a", "b"]);
    });

    it("is listed again, but not in a loop, if a server ends each watch at once", async () => {
        let watches = 0;
        const ending: Watcher = {
            call: () => api.call(),
            watch: async () => {
                watches++;
            },
        };
        list = new WatchedList<Known>(ending, "/api/v1/nodes");
        for (const reads of [1, 2, 3]) {
            await list.read();
            await setImmediate();
            assert.deepEqual([api.lists, watches], [reads, reads]);
        }
    });
});
