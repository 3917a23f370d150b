import assert from "node:assert/strict";
import { etcdImageOf, flagsOf, imagesWord, isStandbyCommand, runnerOf } from "../../../../../agents/etcd/member/runner";

const flags = ["--name=a", "--data-dir=/data"];
const plain = ["etcd", ...flags];
const standby = ["/bin/sh", "-c", "script", "etcd-standby", imagesWord("node:22", "etcd:v3"), ...flags];
const pod = ["/bin/sh", "-c", "script", "etcd-pod"];

describe("the runner of a member", () => {
    it("is derived from the command line that started it", () => {
        assert.deepEqual([plain, standby, pod, []].map(runnerOf), ["plain", "standby", "pod", "plain"]);
        assert.deepEqual([plain, standby].map(isStandbyCommand), [false, true]);
    });

    it("has its flags, and etcd's image if its kind of pod has them", () => {
        assert.deepEqual([plain, standby].map(flagsOf), [flags, flags]);
        assert.equal(etcdImageOf("etcd:v3", plain), "etcd:v3");
        assert.equal(etcdImageOf("node:22", standby), "etcd:v3");
    });
});
