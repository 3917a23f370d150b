import assert from "node:assert/strict";
import { ApiError } from "../../../../clients/kubernetes/api-error";
import {
    type AuthorityFacts,
    type AuthorityReader,
    accessProblem,
    authorityProblems,
    readerProblems,
    unknownProblem,
} from "../../../../cluster/keys/authorities";
import { firstKeys } from "../../../../cluster/keys/lists";

const minute = 60_000;
const published = (namespace: string, authorities: readonly string[], since = 100 * minute) => ({
    namespace,
    authorities,
    since,
});
const both = ["kubernetes-ca", "kubernetes-ca-2"];
const nothing: AuthorityFacts = { holders: [], unsettledNodes: [], published: [], readers: [] };
const of = (...kubernetesCa: number[]) => ({ kubernetesCa });
const reader = (workload: string, created: number, started: number): AuthorityReader => ({
    namespace: "kube-system",
    workload,
    created: created * minute,
    started: started * minute,
});

describe("what stands in the way of another Kubernetes authority", () => {
    const here = { ...nothing, published: [published("default", both), published("shop", both)] };

    it("is nothing where all know of it, or nothing changes", () => {
        assert.deepEqual(authorityProblems(of(1, 2), here, of(2, 1)), []);
        assert.deepEqual(authorityProblems(of(1), { ...nothing, unsettledNodes: ["c-a-0"] }, of(1)), []);
    });

    it("is a kubelet that does not have what it was told before", () => {
        assert.deepEqual(authorityProblems(of(2, 1), { ...here, unsettledNodes: ["c-a-0"] }, of(2)), [
            "keys.kubernetesCa must be [2,1] until the kubelet of c-a-0 has it: its node-agent is not Ready, got [2]",
        ]);
    });

    it("is a namespace whose pods are not given it yet, before it issues", () => {
        const late = { ...nothing, published: [published("default", both), published("shop", ["kubernetes-ca"])] };
        assert.deepEqual(authorityProblems(of(1, 2), late, of(2, 1)), [
            "keys.kubernetesCa must be a list that begins with 1 until kube-root-ca.crt of shop has kubernetes-ca-2, got [2,1]",
        ]);
        assert.deepEqual(authorityProblems(of(1), late, of(1, 2)), []);
    });
});

describe("pods that read authorities before another one came", () => {
    const facts = (...readers: AuthorityReader[]): AuthorityFacts => ({
        ...nothing,
        published: [published("kube-system", both, 100 * minute)],
        readers,
    });
    const late = (...readers: AuthorityReader[]) => readerProblems(of(1, 2), facts(...readers), of(2, 1));

    it("are named once for what makes them anew, with how it does", () => {
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

    it("are none that were made after it, nor such whose programs began when kubelets had brought it", () => {
        assert.deepEqual(late(reader("daemonset/a", 100, 101), reader("daemonset/b", 10, 102)), []);
        assert.equal(late(reader("daemonset/b", 10, 101)).length, 1);
        assert.deepEqual(late(reader("pod/waiting", 10, Number.POSITIVE_INFINITY)), []);
    });

    it("do not matter while the same authority issues", () => {
        const old = facts(reader("daemonset/a", 1, 1));
        assert.deepEqual(readerProblems(of(1), old, of(1, 2)), []);
        assert.deepEqual(readerProblems(of(2, 1), old, of(2)), []);
    });
});

describe("an API that can't be asked", () => {
    const problem = (error: object, kubernetesCa: number[]) =>
        accessProblem({ keys: { ...firstKeys, kubernetesCa } }, error);

    it("shows a certificate of an authority that is not in the list", () => {
        for (const code of ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "CERT_SIGNATURE_FAILURE"]) {
            assert.equal(
                problem({ code }, [2]),
                "keys.kubernetesCa must be a list with the CA of kube-apiserver's certificate, got [2]",
            );
        }
    });

    it("does not know the authority that the list begins with", () => {
        assert.equal(
            problem(new ApiError(401, "Unauthorized"), [2, 1]),
            "keys.kubernetesCa must be a list that begins with a CA that kube-apiserver trusts, got [2,1]",
        );
        assert.equal(problem(new ApiError(401, "Unauthorized"), [1]), undefined);
    });

    it("says nothing of authorities when it is away", () => {
        assert.equal(problem({ code: "ECONNREFUSED" }, [2]), undefined);
        // Somebody else's may be at its address.
        assert.equal(problem({ code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" }, [1]), undefined);
        assert.equal(problem(new ApiError(503, "no etcd"), [2]), undefined);
    });

    it("was never told of an authority that the stack does not have yet", () => {
        assert.equal(
            unknownProblem(of(2, 1)),
            "keys.kubernetesCa must be a list that begins with an existing generation: 2 must be trusted everywhere before it is used, got [2,1]",
        );
    });
});
