import assert from "node:assert/strict";
import type { ApiClient } from "../../../../clients/kubernetes/api-client";
import { apiError } from "../../../../clients/kubernetes/api-error";
import { keysAnnotations } from "../../../../cluster/keys/lists";
import { resolveCluster } from "../../../../cluster/resolve";
import { checkUpgrade } from "../../../../components/upgrade/guard";
import { deploy } from "../../deploy";
import { Owner } from "./owner";

const cluster = resolveCluster({ name: "c" });
const coded = (code: string) => Object.assign(new Error(code), { code });
const timedOut = Object.assign(new Error("aborted"), { name: "AbortError", cause: { name: "TimeoutError" } });

/** Errors, and whether an `up` retries them. */
const errors: readonly (readonly [string, unknown, boolean])[] = [
    ["500 of an etcd without quorum", apiError(500, '{"message":"etcdserver: request timed out"}'), true],
    ["503", apiError(503, "no endpoints"), true],
    ["429", apiError(429, "too many requests"), true],
    ["401", apiError(401, "Unauthorized"), false],
    ["403", apiError(403, '{"message":"daemonsets is forbidden: User \\"x\\" cannot get"}'), false],
    ["no response in time", timedOut, true],
    ["a refused connection", coded("ECONNREFUSED"), true],
    ["a reset connection", coded("ECONNRESET"), true],
    ["a certificate of another CA", coded("UNABLE_TO_VERIFY_LEAF_SIGNATURE"), false],
    ["an expired certificate", coded("CERT_HAS_EXPIRED"), false],
    ["a file without PEM", coded("ERR_OSSL_PEM_NO_START_LINE"), false],
    ["a TypeError", new TypeError("x is not a function"), false],
    ["a SyntaxError", new SyntaxError("Unexpected end of JSON input"), false],
];

/** An API that fails from the given request on, as often as given. */
function failing(error: unknown, answers: number, times = Number.POSITIVE_INFINITY) {
    const failures = { count: 0 };
    let calls = 0;
    const call = async (path: string) => {
        if (calls++ >= answers && failures.count < times) {
            failures.count++;
            throw error;
        }
        if (!path.endsWith("/daemonsets/kube-apiserver")) return { items: [] };
        const containers = [{ name: "kube-apiserver", image: cluster.images.kubeApiserver }];
        const template = { metadata: { annotations: keysAnnotations(cluster.keys) }, spec: { containers } };
        return { metadata: { name: "kube-apiserver", uid: "1" }, spec: { template } };
    };
    return { api: { call } as unknown as ApiClient, failures };
}

async function outcome(api: ApiClient, isPreview: boolean) {
    const [warnings, { warn }] = [[] as string[], console];
    console.warn = (text: string) => warnings.push(text);
    try {
        const checks = () => checkUpgrade(api, cluster, new Owner(), [], undefined, isPreview ? undefined : 0.3);
        const program = () => ({
            checked: checks().then(
                ({ wasAsked }) => `${wasAsked}`,
                (error: Error) => error,
            ),
        });
        const { checked } = (await deploy(program, { isPreview })).result;
        return { result: await checked, warnings };
    } finally {
        console.warn = warn;
    }
}

describe("upgrade checks that cannot be done", () => {
    for (const [what, error, isRetried] of errors) {
        it(`are an error of an up after ${what}${isRetried ? ", which is retried" : ""}`, async () => {
            const { api, failures } = failing(error, 0);
            const { result } = await outcome(api, false);
            const { message } = result as Error;
            assert.match(
                message,
                /^c: the running kube-apiserver could not be checked, nothing in the cluster was changed: /,
            );
            assert.match(
                message,
                /; run `tradewind status` to see what is wrong, and try again once that is repaired$/,
            );
            assert.equal(failures.count > 1, isRetried);
        });

        it(`are a warning in a preview after ${what}`, async () => {
            const { result, warnings } = await outcome(failing(error, 0).api, true);
            assert.equal(result, "false");
            assert.match(warnings.join("\n"), /^\S+ \[runtime\] c: .*; run `tradewind status`.*run the preview again/);
            assert.equal(warnings.length, 1);
        });

        it(`are an error of an up, and a warning in a preview, if only later ones end in ${what}`, async () => {
            const { result } = await outcome(failing(error, 1).api, false);
            const { message } = result as Error;
            assert.match(
                message,
                /^c: admission in kube-system could not be checked, nothing in the cluster was changed: /,
            );
            const preview = await outcome(failing(error, 1).api, true);
            assert.equal(typeof preview.result, "string", String(preview.result));
            assert.ok(preview.warnings.length > 0);
        });
    }

    it("are done by an up once an error has passed", async () => {
        const { api, failures } = failing(coded("ECONNRESET"), 0, 1);
        const { result } = await outcome(api, false);
        assert.equal(failures.count, 1);
        assert.equal(result, "true");
    });
});
