import assert from "node:assert/strict";
import { moveMembers, newPeerUrl } from "../../../../../agents/etcd/keeper/keeper";
import type { EtcdClient, Member } from "../../../../../clients/etcd/client";

const here: Member = {
    ID: "1",
    name: "c-controller-0",
    clientURLs: ["https://10.0.0.11:2379"],
    peerURLs: ["https://10.0.0.11:2380"],
};
const moved: Member = { ...here, ID: "2", clientURLs: ["https://10.0.0.99:2379"] };

describe("an etcd member whose machine has a new address", () => {
    it("moves to its client address", () => {
        assert.equal(newPeerUrl(here), undefined);
        assert.equal(newPeerUrl(moved), "https://10.0.0.99:2380");
    });

    it("stays unchanged until it has started", () => {
        const { clientURLs, ...silent } = moved;
        assert.equal(newPeerUrl(silent), undefined);
        assert.equal(newPeerUrl({ ...moved, clientURLs: [] }), undefined);
    });

    it("is reached there by the others from now on", async () => {
        const updates: string[][] = [];
        const client = {
            members: async () => [here, moved],
            update: async (...update: string[]) => void updates.push(update),
        } as unknown as EtcdClient;
        assert.deepEqual(await moveMembers(client), [
            "c-controller-0 (https://10.0.0.11:2380) is at https://10.0.0.99:2380 now",
        ]);
        assert.deepEqual(updates, [["2", "https://10.0.0.99:2380"]]);
    });
});
