import assert from "node:assert/strict";
import { configHash, userData } from "../../../../../components/aws/machines/user-data";
import { parse, validate } from "../../../../../ignition";

describe("the user-data of an instance on AWS", () => {
    const pointer = { bucket: "c-configs-1a2b3c4", key: "nodes/a/c-a-0.ign", hash: configHash("{}") };

    it("is a pointer to a config and its hash, which Ignition takes", () => {
        const { ignition } = parse(userData(pointer));
        assert.deepEqual(ignition.config?.replace, {
            source: "s3://c-configs-1a2b3c4/nodes/a/c-a-0.ign",
            verification: {
                hash: "sha512-27c74670adb75075fad058d5ceaf7b20c4e7786c83bae8a32f626f9782af34c9a33c2046ef60fd2a7878d378e29fec851806bbd9a67878f3a9f1cda4830763fd",
            },
        });
        assert.deepEqual(validate(parse(userData(pointer))), []);
    });

    it("names the cluster's proxy, by which Ignition fetches from S3, too", () => {
        const proxy = { httpsProxy: "http://proxy.example:3128", noProxy: ["169.254.169.254"] };
        const text = userData(pointer, proxy);
        assert.deepEqual(parse(text).ignition.proxy, proxy);
        assert.deepEqual(validate(parse(text)), []);
    });

    it("is far below the 16 KiB that EC2 takes", () => {
        const longest = { bucket: "b".repeat(63), key: "k".repeat(1024), hash: "f".repeat(128) };
        assert.ok(Buffer.byteLength(userData(longest)) < 2048);
    });
});
