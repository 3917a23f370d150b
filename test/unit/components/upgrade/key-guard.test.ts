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

/** Checks the keys that are wanted against an API whose kube-apiserver was told others; what it asked of the API. */
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
        // Told of by the test, not by the program.
        checked.catch(() => undefined);
        return { checked };
    });
    await result.checked;
    return asked;
}

describe("the guard of keys", () => {
    it("asks for nothing where the cluster was told the same", async () => {
        assert.deepEqual(await check({}, {}), []);
        assert.deepEqual(await check({ serviceAccount: [2, 1] }, { serviceAccount: [2, 1] }), []);
    });

    it("refuses a step that is left out, in the words of the verdict and without a stack", async () => {
        await assert.rejects(check({}, { serviceAccount: [2] }), (error: Error) => {
            assert.ok(pulumi.RunError.isInstance(error));
            assert.match(error.message, /^c can't have these keys yet:\n {2}keys\.serviceAccount must be a list that/);
            assert.equal(error.stack, error.message);
            return true;
        });
    });

    it("refuses to let a key of Secrets go whose Job is not there", async () => {
        await assert.rejects(check({ encryption: [1, "plain"] }, { encryption: [1] }), {
            message: /keys\.encryption must be \[1,"plain"\] until all Secrets are written with 1/,
        });
    });

    it("refuses another authority of etcd while nothing is known of its members", async () => {
        await assert.rejects(check({}, { etcdCa: [1, 2] }), {
            message: /keys\.etcdCa must be \[1\] until there is a pod etcd-c-controller-0/,
        });
    });

    it("looks at tokens before a key goes", async () => {
        const asked = await check({ serviceAccount: [2, 1] }, { serviceAccount: [2] });
        assert.ok(asked.includes("secrets"));
    });
});
