import assert from "node:assert/strict";
import { mock } from "node:test";
import { approveServing } from "../../../../../agents/nodes/serving-approver/approve";
import { servingSigner } from "../../../../../agents/nodes/serving-approver/decide";
import { AwsRefusal } from "../../../../../clients/aws/query";
import type { ApiClient } from "../../../../../clients/kubernetes/api-client";
import { apiError } from "../../../../../clients/kubernetes/api-error";
import type { SigningRequest } from "../../../../../clients/kubernetes/signing-requests";
import { csr } from "../approver/csr";

describe("the serving approver", () => {
    let lines: string[];
    let approved: string[];
    beforeEach(() => {
        [lines, approved] = [[], []];
        mock.method(console, "log", (line: string) => lines.push(line));
    });
    afterEach(() => mock.restoreAll());

    function request(name: string): SigningRequest {
        const names = { dnsNames: ["c-a-0"], ipAddresses: ["10.0.0.21"] };
        return {
            metadata: { name, resourceVersion: "1" },
            spec: {
                request: Buffer.from(csr("system:node:c-a-0", names)).toString("base64"),
                signerName: servingSigner,
                username: "system:node:c-a-0",
                groups: ["system:nodes"],
                usages: ["digital signature", "server auth"],
            },
        };
    }

    const machines = { "c-a-0": ["10.0.0.21"] };
    const api = {
        call: async (path: string) => {
            const [, name = ""] = /signingrequests\/([^/]+)\/approval/.exec(path) ?? [];
            if (name === "csr-gone") throw apiError(404, "not found");
            approved.push(name);
        },
    } as unknown as ApiClient;

    it("goes on while EC2 refuses its queries, and says so once per request", async () => {
        const logged = new Map<string, string>();
        const refuse = async () => {
            throw new AwsRefusal("ec2 refuses DescribeInstances", "RequestLimitExceeded");
        };
        const list = async () => [request("csr-1")];
        for (let round = 0; round < 3; round++) await approveServing(api, refuse, logged, list);
        const why = "retrying: ec2 refuses DescribeInstances: RequestLimitExceeded";
        assert.deepEqual([lines, approved], [[`not approving csr-1: ${why}`], []]);
        await approveServing(api, () => machines, logged, list);
        assert.deepEqual(approved, ["csr-1"]);
    });

    it("approves other requests although one of them was deleted in the meantime", async () => {
        const list = async () => [request("csr-gone"), request("csr-1")];
        await approveServing(api, () => machines, new Map(), list);
        assert.deepEqual(approved, ["csr-1"]);
    });
});
