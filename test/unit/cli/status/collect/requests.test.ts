import assert from "node:assert/strict";
import { servingSigner } from "../../../../../agents/nodes/serving-approver/decide";
import { waitingRequests } from "../../../../../cli/status/collect/requests";
import type { CertificateSigningRequest, Pod } from "../../../../../clients/kubernetes/objects";
import { asked } from "../../../agents/nodes/approver/asked";

const now = Date.parse("2026-11-21T06:00:00Z");

const joining = (name: string, ageSeconds: number): CertificateSigningRequest => ({
    ...asked({ node: "c-a-0" }),
    metadata: { name, creationTimestamp: new Date(now - 1000 * ageSeconds).toISOString() },
});

const serving = (name: string): CertificateSigningRequest => {
    const request = joining(name, 600);
    return { ...request, spec: { ...request.spec, signerName: servingSigner, username: "system:node:c-a-1" } };
};

const agent = (name: string, app: string): Pod => ({
    metadata: { name, labels: { "k8s-app": app } },
    spec: { containers: [] },
});

/** What is found in a cluster with these requests, and logs by pod, and the logs that were read. */
async function found(requests: readonly CertificateSigningRequest[], logs: Readonly<Record<string, string>> = {}) {
    const read: string[] = [];
    const call = async (path: string): Promise<unknown> => {
        const [, pod] = /\/pods\/([\w-]+)\/log\?/.exec(path) ?? [];
        if (pod === undefined) return { items: requests };
        read.push(pod);
        if (logs[pod] === undefined) throw new Error("no log");
        return logs[pod];
    };
    const pods = [agent("node-approver-1", "node-approver"), agent("node-approver-2", "node-approver")];
    const all = [...pods, agent("serving-approver-1", "serving-approver"), agent("coredns-1", "kube-dns")];
    return { waiting: await waitingRequests({ call: call as never }, Promise.resolve({ pods: all, now })), read };
}

describe("waiting requests of kubelets", () => {
    it("have the last reason that one of their agents has logged", async () => {
        const { waiting } = await found([joining("csr-1", 90), serving("csr-2")], {
            "node-approver-1": "retrying: x\nnot approving csr-10: other\n",
            "node-approver-2": "not approving csr-1: old\nnot approving csr-1: node c-a-0 is Ready\napproved csr-3\n",
            "serving-approver-1": "not approving csr-2: c-a-1 is not a machine of the stack\n",
        });
        assert.deepEqual(waiting, [
            {
                name: "csr-1",
                node: "c-a-0",
                approver: "node-approver",
                ageSeconds: 90,
                reason: "node c-a-0 is Ready",
            },
            {
                name: "csr-2",
                node: "c-a-1",
                approver: "serving-approver",
                ageSeconds: 600,
                reason: "c-a-1 is not a machine of the stack",
            },
        ]);
    });

    it("have no reason if no log can be read", async () => {
        const { waiting } = await found([joining("csr-1", 90)]);
        assert.deepEqual(
            waiting.map(({ name, reason }) => [name, reason]),
            [["csr-1", undefined]],
        );
    });

    it("are neither new, nor decided, nor of other signers, and then no log is read", async () => {
        const old = joining("csr-1", 600);
        const { waiting, read } = await found([
            joining("csr-2", 5),
            { ...old, status: { conditions: [{ type: "Approved" }] } },
            { ...old, spec: { ...old.spec, signerName: "example.com/other" } },
        ]);
        assert.deepEqual([waiting, read], [[], []]);
    });
});
