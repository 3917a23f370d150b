import assert from "node:assert/strict";
import type { Call } from "../../../../clients/kubernetes/api-client";
import {
    approve,
    forgetOthers,
    isPending,
    logPending,
    parseRequest,
} from "../../../../clients/kubernetes/signing-requests";
import { csr } from "../../agents/nodes/approver/csr";

const named = (name: string) => ({ metadata: { name, resourceVersion: "1" } });

describe("the reason for leaving a signing request", () => {
    let lines: string[];
    const { log } = console;

    beforeEach(() => {
        lines = [];
        console.log = (line: string) => lines.push(line);
    });

    afterEach(() => {
        console.log = log;
    });

    it("is logged once per reason", () => {
        const told = new Map<string, string>();
        for (const why of ["no address", "no address", "another node", "another node"]) {
            logPending(told, named("csr-1"), why);
        }
        assert.deepEqual(lines, ["not approving csr-1: no address", "not approving csr-1: another node"]);
    });

    it("is logged without terminal control characters", () => {
        logPending(new Map(), named("csr-1"), "for \u001b[31mroot\nleft csr-2");
        assert.deepEqual(lines, ["not approving csr-1: for ?[31mroot?left csr-2"]);
    });

    it("is forgotten together with the request, and logged again if one with its name returns", () => {
        const told = new Map([
            ["csr-1", "no address"],
            ["csr-2", "no address"],
        ]);
        forgetOthers(told, [named("csr-2")]);
        assert.deepEqual([...told.keys()], ["csr-2"]);
    });
});

describe("a signing request", () => {
    it("is pending until it is approved or denied", () => {
        assert.equal(isPending({}), true);
        assert.equal(isPending({ status: { conditions: [] } }), true);
        assert.equal(isPending({ status: { conditions: [{ type: "Denied" }] } }), false);
    });

    it("is approved only as it was read", async () => {
        const calls: [string, Call | undefined][] = [];
        const call = async <T>(path: string, sent?: Call) => {
            calls.push([path, sent]);
            return {} as T;
        };
        const spec = { request: "", signerName: "s" };
        await approve({ call }, { ...named("csr-1"), spec }, "Reason", "a machine");
        const [[path, { body, ...sent } = {}]] = calls as [[string, Call | undefined]];
        assert.equal(path, "/apis/certificates.k8s.io/v1/certificatesigningrequests/csr-1/approval");
        assert.deepEqual(sent, { method: "PATCH", contentType: "application/merge-patch+json" });
        const conditions = [{ type: "Approved", status: "True", reason: "Reason", message: "a machine" }];
        assert.deepEqual(body, { metadata: { resourceVersion: "1" }, status: { conditions } });
    });
});

/** Created with OpenSSL 3.0: `openssl req -new -newkey ed25519 -nodes -subj "/O=system:nodes/CN=system:node:i-0123"`. */
const openssl = `-----BEGIN CERTIFICATE REQUEST-----
MIGzMGcCAQAwNDEVMBMGA1UECgwMc3lzdGVtOm5vZGVzMRswGQYDVQQDDBJzeXN0
ZW06bm9kZTppLTAxMjMwKjAFBgMrZXADIQBgb/KuLuh3cfYQ/w/oVjyje1U8PhB/
hJI3YTh+9Q8RaaAAMAUGAytlcANBAL289ZfeVLoIAbRhswDuHBojBtw9ihydlkDN
FRY6DjonsfYig8rb5OTN17qx/K4RVmpN835dArbRrnbT1g4YMww=
-----END CERTIFICATE REQUEST-----
`;

describe("a certificate request", () => {
    it("contains the subject", () => {
        const own = { commonName: "system:node:i-0123", organizations: ["system:nodes"], asksForMore: false };
        for (const text of [csr("system:node:i-0123"), openssl]) {
            const { publicKey, ...name } = parseRequest(text);
            assert.deepEqual(name, own);
            assert.ok(publicKey.length > 0);
        }
    });

    it("contains the key, which differs between requests", () => {
        const [first, same, other] = [csr("a"), csr("b"), openssl].map((text) =>
            parseRequest(text).publicKey.toString("hex"),
        );
        assert.equal(first, same);
        assert.notEqual(first, other);
    });

    it("says whether it requests more than that subject", () => {
        assert.equal(parseRequest(csr("system:node:i-0123", { dnsNames: ["api.example.com"] })).asksForMore, true);
    });

    const good = csr("system:node:i-0123");
    const body = Buffer.from(good.replaceAll(/-----.*-----|\n/g, ""), "base64");
    const pem = (der: Buffer) =>
        `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString("base64")}\n-----END CERTIFICATE REQUEST-----\n`;
    const cut = Array.from({ length: 12 }, (_, index) => body.subarray(0, Math.floor((body.length * index) / 12)));
    const wrong: [string, string][] = [
        ["nothing", ""],
        ["a certificate", good.replaceAll("CERTIFICATE REQUEST", "CERTIFICATE")],
        ["two requests", good + good],
        ["preceded by other text", `x\n${good}`],
        ...cut.map((part, index): [string, string] => [`a request that ends after ${index} twelfths`, pem(part)]),
        ["an invalid length", pem(Buffer.from([0x30, 0x89, 1, 2, 3]))],
    ];
    for (const [what, text] of wrong) {
        it(`is rejected when it is ${what}`, () => {
            assert.throws(() => parseRequest(text), Error);
        });
    }

    it("is rejected if its subject has other attributes", () => {
        assert.throws(() => parseRequest(twoNames()), /more than one common name/);
    });
});

/** A request with two common names: it is undefined which one a signer would use. */
function twoNames(): string {
    const text = csr("system:node:i-0123", { organization: "system:nodes" });
    const der = Buffer.from(text.replaceAll(/-----.*-----|\n/g, ""), "base64");
    // The type of the organization (2.5.4.10) is changed to that of a common name (2.5.4.3).
    const at = der.indexOf(Buffer.from("55040a", "hex"));
    der[at + 2] = 0x03;
    return `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString("base64")}\n-----END CERTIFICATE REQUEST-----\n`;
}
