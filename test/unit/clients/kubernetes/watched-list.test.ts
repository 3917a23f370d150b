import assert from "node:assert/strict";
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
        watch: (path, onEvent) => {
            requests.push(path.replace(/timeoutSeconds=\d+/, "…"));
            report = onEvent as typeof report;
            return new Promise((resolve, reject) => {
                end = (error) => (error ? reject(error) : resolve());
            });
        },
    };
    const listed = ["/api/v1/nodes?resourceVersion=0", "/api/v1/nodes?watch=true&resourceVersion=7&…"];
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

    it("is listed again once the watch has ended, failed or expired", async () => {
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
            "/api/v1/nodes?labelSelector=a&watch=true&resourceVersion=7&…",
        ]);
    });
});
