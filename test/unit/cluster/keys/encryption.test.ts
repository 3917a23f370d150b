import assert from "node:assert/strict";
import {
    encryptionConfiguration,
    encryptionGenerations,
    encryptionKey,
    isEncrypting,
} from "../../../../cluster/keys/encryption";
import { firstKeys } from "../../../../cluster/keys/lists";

describe("the encryption of Secrets in etcd", () => {
    it("is none of the cluster's beginning", () => {
        assert.equal(isEncrypting(firstKeys), false);
        assert.deepEqual(encryptionGenerations(firstKeys), []);
    });

    it("writes with the first and reads with each, in their order", () => {
        const keys = { ...firstKeys, encryption: [2, "plain", 1] as const };
        const { resources } = encryptionConfiguration(keys, { 1: "one", 2: "two" }) as { resources: object[] };
        assert.deepEqual(resources, [
            {
                resources: ["secrets"],
                providers: [
                    { secretbox: { keys: [{ name: "key-2", secret: "two" }] } },
                    { identity: {} },
                    { secretbox: { keys: [{ name: "key-1", secret: "one" }] } },
                ],
            },
        ]);
        assert.deepEqual(encryptionGenerations(keys), [2, 1]);
    });

    it("has keys of 32 bytes, each another of another private key and none of them shown by it", () => {
        const [one, two] = ["one", "two"].map(encryptionKey);
        assert.equal(Buffer.from(one!, "base64").length, 32);
        assert.notEqual(one, two);
        assert.equal(encryptionKey("one"), one);
    });
});
