import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { ApiClient } from "../../../../clients/kubernetes/api-client";
import { ApiError } from "../../../../clients/kubernetes/api-error";
import { resolveKeys } from "../../../../cluster/keys/lists";
import type { KeyOptions } from "../../../../cluster/options";
import { resolveCluster } from "../../../../cluster/resolve";
import { checkKeys } from "../../../../components/upgrade/key-guard";
import { deploy } from "../../deploy";
import { Owner } from "./owner";

/** Checks the desired keys against an API whose kube-apiserver has others; returns the requests. */
async function check(told: KeyOptions, keys: KeyOptions): Promise<string[]> {
    const asked: string[] = [];
    const call = async (path: string) => {
        asked.push(path.split("?")[0]!.split("/").at(-1)!);
        if (/\/(jobs|secrets)\//.test(path)) throw new ApiError(404, "not found");
        return { items: [] };
    };
    const cluster = resolveCluster({ name: "c", keys });
    const { result } = await deploy(() => {
        const checked = checkKeys({ call } as unknown as ApiClient, resolveKeys(told), cluster, new Owner());
        // Made by the test, not by the program.
        checked.catch(() => undefined);
        return { checked };
    });
    await result.checked;
    return asked;
}

describe("the guard of keys", () => {
    it("reads nothing if the keys are unchanged", async () => {
        assert.deepEqual(await check({}, {}), []);
        assert.deepEqual(await check({ serviceAccount: [2, 1] }, { serviceAccount: [2, 1] }), []);
    });

    it("refuses a step that is left out, in the words of the verdict and without a stack", async () => {
        await assert.rejects(check({}, { serviceAccount: [2] }), (error: Error) => {
            assert.ok(pulumi.RunError.isInstance(error));
            assert.match(
                error.message,
                /^c cannot change to these keys yet:\n {2}keys\.serviceAccount must be a list that/,
            );
            assert.equal(error.stack, error.message);
            return true;
        });
    });

    it("refuses to remove an encryption key without a Job", async () => {
        await assert.rejects(check({ encryption: [1, "plain"] }, { encryption: [1] }), {
            message: /keys\.encryption must be \[1,"plain"\] until all Secrets are rewritten with 1/,
        });
    });

    it("refuses another etcd CA while nothing is known about its members", async () => {
        await assert.rejects(check({}, { etcdCa: [1, 2] }), {
            message: /keys\.etcdCa must be \[1\] until pod etcd-c-controller-0 exists/,
        });
    });

    it("checks tokens before a key is removed", async () => {
        const asked = await check({ serviceAccount: [2, 1] }, { serviceAccount: [2] });
        assert.ok(asked.includes("secrets"));
    });
});
