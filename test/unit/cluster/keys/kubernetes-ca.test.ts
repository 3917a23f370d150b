import assert from "node:assert/strict";
import { ApiError } from "../../../../clients/kubernetes/api-error";
import {
    accessProblem,
    type CaFacts,
    type CaReader,
    caProblems,
    readerProblems,
    unknownProblem,
} from "../../../../cluster/keys/kubernetes-ca";
import { firstKeys } from "../../../../cluster/keys/lists";

const minute = 60_000;
const published = (namespace: string, cas: readonly string[], since = 100 * minute) => ({
    namespace,
    cas,
    since,
});
const both = ["kubernetes-ca", "kubernetes-ca-2"];
const nothing: CaFacts = { holders: [], unsettledNodes: [], published: [], readers: [] };
const of = (...kubernetesCa: number[]) => ({ kubernetesCa });
const reader = (workload: string, created: number, started: number): CaReader => ({
    namespace: "kube-system",
    workload,
    created: created * minute,
    started: started * minute,
});

describe("reasons against another Kubernetes CA", () => {
    const here = { ...nothing, published: [published("default", both), published("shop", both)] };

    it("are none if everything trusts it, or nothing changes", () => {
        assert.deepEqual(caProblems(of(1, 2), here, of(2, 1)), []);
        assert.deepEqual(caProblems(of(1), { ...nothing, unsettledNodes: ["c-a-0"] }, of(1)), []);
    });

    it("include a kubelet that lacks the previous settings", () => {
        assert.deepEqual(caProblems(of(2, 1), { ...here, unsettledNodes: ["c-a-0"] }, of(2)), [
            "keys.kubernetesCa must be [2,1] until the kubelet of c-a-0 has it: its node-agent is not Ready (got [2])",
        ]);
    });

    it("include a namespace whose pods do not get it yet, before it issues", () => {
        const late = { ...nothing, published: [published("default", both), published("shop", ["kubernetes-ca"])] };
        assert.deepEqual(caProblems(of(1, 2), late, of(2, 1)), [
            "keys.kubernetesCa must be a list that begins with 1 until kube-root-ca.crt of shop has kubernetes-ca-2 (got [2,1])",
        ]);
        assert.deepEqual(caProblems(of(1), late, of(1, 2)), []);
    });
});

describe("pods that read the CAs before the new one was published", () => {
    const facts = (...readers: CaReader[]): CaFacts => ({
        ...nothing,
        published: [published("kube-system", both, 100 * minute)],
        readers,
    });
    const late = (...readers: CaReader[]) => readerProblems(of(1, 2), facts(...readers), of(2, 1));

    it("are listed once per workload, with the command that restarts it", () => {
        assert.deepEqual(
            late(
                reader("daemonset/kube-proxy", 10, 11),
                reader("daemonset/kube-proxy", 10, 12),
                reader("pod/alone", 10, 12),
            ),
            [
                "kubectl -n kube-system rollout restart daemonset/kube-proxy: it started before CA 2 was published",
                "recreate pod/alone of kube-system: it started before CA 2 was published",
            ],
        );
    });

    it("do not include pods created later, or programs that started after the kubelets had updated the file", () => {
        assert.deepEqual(late(reader("daemonset/a", 100, 101), reader("daemonset/b", 10, 102)), []);
        assert.equal(late(reader("daemonset/b", 10, 101)).length, 1);
        assert.deepEqual(late(reader("pod/waiting", 10, Number.POSITIVE_INFINITY)), []);
    });

    it("do not matter while the issuing CA is the same", () => {
        const old = facts(reader("daemonset/a", 1, 1));
        assert.deepEqual(readerProblems(of(1), old, of(1, 2)), []);
        assert.deepEqual(readerProblems(of(2, 1), old, of(2)), []);
    });
});

describe("an API that rejects the client's CAs", () => {
    const problem = (error: object, kubernetesCa: number[]) =>
        accessProblem({ keys: { ...firstKeys, kubernetesCa } }, error);

    it("has a certificate from a CA that is not in the list", () => {
        for (const code of ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "CERT_SIGNATURE_FAILURE"]) {
            assert.equal(
                problem({ code }, [2]),
                "keys.kubernetesCa must be a list with the CA of kube-apiserver's certificate (got [2])",
            );
        }
    });

    it("does not trust the first CA of the list", () => {
        assert.equal(
            problem(new ApiError(401, "Unauthorized"), [2, 1]),
            "keys.kubernetesCa must be a list that begins with a CA that kube-apiserver trusts (got [2,1])",
        );
        assert.equal(problem(new ApiError(401, "Unauthorized"), [1]), undefined);
    });

    it("is not blamed on the CAs when it is unreachable", () => {
        assert.equal(problem({ code: "ECONNREFUSED" }, [2]), undefined);
        // Another cluster may have its address.
        assert.equal(problem({ code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" }, [1]), undefined);
        assert.equal(problem(new ApiError(503, "no etcd"), [2]), undefined);
    });

    it("cannot trust a CA that the stack does not have yet", () => {
        assert.equal(
            unknownProblem(of(2, 1)),
            "keys.kubernetesCa must be a list that begins with an existing generation: 2 must be trusted everywhere before it is used (got [2,1])",
        );
    });
});
