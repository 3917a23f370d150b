import assert from "node:assert/strict";
import { decideServing, servingSigner } from "../../../../../agents/nodes/serving-approver/decide";
import type { SigningRequest } from "../../../../../clients/kubernetes/signing-requests";
import { csr } from "../approver/csr";

const machines = { "c-a-0": ["10.0.0.21", "203.0.113.7"], "c-a-1": ["10.0.0.22"] };
const own = { dnsNames: ["c-a-0"], ipAddresses: ["10.0.0.21"] };

function request(names: Parameters<typeof csr>[1] = own, change: Partial<SigningRequest["spec"]> = {}): SigningRequest {
    return {
        metadata: { name: "csr-1", resourceVersion: "1" },
        spec: {
            request: Buffer.from(csr("system:node:c-a-0", names)).toString("base64"),
            signerName: servingSigner,
            username: "system:node:c-a-0",
            groups: ["system:nodes", "system:authenticated"],
            usages: ["digital signature", "server auth"],
            ...change,
        },
    };
}
const pem = (text: string) => ({ request: Buffer.from(text).toString("base64") });

describe("a kubelet's request for a server certificate", () => {
    it("is approved for its own name and addresses", () => {
        const approved = { isApproved: true, node: "c-a-0" };
        assert.deepEqual(decideServing(request(), machines), approved);
        const all = { dnsNames: ["c-a-0"], ipAddresses: ["10.0.0.21", "203.0.113.7"] };
        assert.deepEqual(decideServing(request(all), machines), approved);
        assert.deepEqual(decideServing(request({ ipAddresses: ["10.0.0.21"] }), machines), approved);
    });

    it("is approved for its IPv6 address in the format of the options", () => {
        const names = { ...own, ipAddresses: ["10.0.0.21", "fd74:7264:a75:500::15"] };
        const dual = { "c-a-0": ["10.0.0.21", "fd74:7264:a75:500::15"] };
        assert.deepEqual(decideServing(request(names), dual), { isApproved: true, node: "c-a-0" });
    });

    const left: [string, SigningRequest, string][] = [
        [
            "for another machine's address",
            request({ ...own, ipAddresses: ["10.0.0.21", "10.0.0.22"] }),
            "10.0.0.22 does not belong to c-a-0, which has 10.0.0.21, 203.0.113.7",
        ],
        [
            "for the API's name",
            request({ ...own, dnsNames: ["c-a-0", "api.c.example.com"] }),
            "api.c.example.com does not belong to c-a-0, which has 10.0.0.21, 203.0.113.7",
        ],
        ["without an address", request({ dnsNames: ["c-a-0"] }), "it has no address"],
        [
            "for a URI",
            request({ ...own, uris: ["spiffe://x"] }),
            "it has a name that is neither a DNS name nor an address",
        ],
        [
            "for an IPv6 address that it does not have",
            request({ ...own, ipAddresses: ["fd00::1:0:0:1"] }),
            "fd00::1:0:0:1 does not belong to c-a-0, which has 10.0.0.21, 203.0.113.7",
        ],
        [
            "in the name of another node",
            request(own, pem(csr("system:node:c-a-1", own))),
            "it is for system:node:c-a-1 of system:nodes, but was requested by system:node:c-a-0",
        ],
        [
            "for an administrator",
            request(own, pem(csr("system:node:c-a-0", { ...own, organization: "system:masters" }))),
            "it is for system:node:c-a-0 of system:masters, but was requested by system:node:c-a-0",
        ],
        [
            "from a machine that the stack did not create",
            request(own, { username: "system:node:c-b-0" }),
            "c-b-0 is not a machine of the stack",
        ],
        [
            "from a node named like a property of JavaScript objects",
            request(own, { username: "system:node:constructor" }),
            "constructor is not a machine of the stack",
        ],
        [
            "from something other than a node",
            request(own, { groups: ["system:authenticated"] }),
            "system:node:c-a-0 is not a node",
        ],
        [
            "with client usage",
            request(own, { usages: ["digital signature", "server auth", "client auth"] }),
            "its usages are digital signature, server auth, client auth",
        ],
        ["with an invalid body", request(own, pem("text")), "it is not one certificate request in PEM"],
    ];
    for (const [what, each, why] of left) {
        it(`is not approved ${what}`, () => {
            assert.deepEqual(decideServing(each, machines), { isApproved: false, why });
        });
    }

    it("is ignored if it has another signer, or has been decided", () => {
        assert.equal(decideServing(request(own, { signerName: "kubernetes.io/legacy-unknown" }), machines), undefined);
        const answered = { ...request(), status: { conditions: [{ type: "Denied" }] } };
        assert.equal(decideServing(answered, machines), undefined);
    });
});
