import assert from "node:assert/strict";
import { EtcdClient, EtcdError } from "../../../../clients/etcd/client";

describe("a client of etcd", () => {
    it("sends requests to the member that answered last: one that is cut off answers after seconds only", async () => {
        const calls: string[] = [];
        let cutOff = "a";
        class Client extends EtcdClient {
            override async send<T>(url: string): Promise<T> {
                calls.push(url);
                if (url === cutOff) throw new EtcdError(`${url}: no answer in time`);
                return { members: [] } as T;
            }
        }
        const client = new Client(["a", "b", "c"], () => ({ ca: "", cert: "", key: "" }));
        await client.members();
        await client.members();
        assert.deepEqual(calls.splice(0), ["a", "b", "b"]);
        cutOff = "b";
        await client.members();
        await client.members();
        assert.deepEqual(calls, ["b", "a", "a"]);
    });
});
