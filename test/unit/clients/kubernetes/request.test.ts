import assert from "node:assert/strict";
import { parseRequest } from "../../../../clients/kubernetes/signing-requests";
import { csr } from "../../agents/nodes/approver/csr";

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
