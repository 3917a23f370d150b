import assert from "node:assert/strict";
import { parseRequest } from "../../../../clients/kubernetes/certificate-request";
import { csr } from "../../agents/nodes/approver/csr";

/** Made by OpenSSL 3.0: `openssl req -new -newkey ed25519 -nodes -subj "/O=system:nodes/CN=system:node:i-0123"`. */
const openssl = `-----BEGIN CERTIFICATE REQUEST-----
MIGzMGcCAQAwNDEVMBMGA1UECgwMc3lzdGVtOm5vZGVzMRswGQYDVQQDDBJzeXN0
ZW06bm9kZTppLTAxMjMwKjAFBgMrZXADIQBgb/KuLuh3cfYQ/w/oVjyje1U8PhB/
hJI3YTh+9Q8RaaAAMAUGAytlcANBAL289ZfeVLoIAbRhswDuHBojBtw9ihydlkDN
FRY6DjonsfYig8rb5OTN17qx/K4RVmpN835dArbRrnbT1g4YMww=
-----END CERTIFICATE REQUEST-----
`;

describe("a certificate request", () => {
    it("tells the name that it is for", () => {
        const own = { commonName: "system:node:i-0123", organizations: ["system:nodes"], asksForMore: false };
        for (const text of [csr("system:node:i-0123"), openssl]) {
            const { publicKey, ...name } = parseRequest(text);
            assert.deepEqual(name, own);
            assert.ok(publicKey.length > 0);
        }
    });

    it("tells its key, which is another one's in another request", () => {
        const [first, same, other] = [csr("a"), csr("b"), openssl].map((text) =>
            parseRequest(text).publicKey.toString("hex"),
        );
        assert.equal(first, same);
        assert.notEqual(first, other);
    });

    it("tells whether it asks for more than that name", () => {
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
        ["another text before it", `x\n${good}`],
        ...cut.map((part, index): [string, string] => [`a request that ends after ${index} twelfths`, pem(part)]),
        ["a length that is none", pem(Buffer.from([0x30, 0x89, 1, 2, 3]))],
    ];
    for (const [what, text] of wrong) {
        it(`is refused when it is ${what}`, () => {
            assert.throws(() => parseRequest(text), Error);
        });
    }

    it("is refused when it has another kind of name beside", () => {
        assert.throws(() => parseRequest(twoNames()), /more than one common name/);
    });
});

/** A request whose name has two common names: what a signer would take is anybody's guess. */
function twoNames(): string {
    const text = csr("system:node:i-0123", { organization: "system:nodes" });
    const der = Buffer.from(text.replaceAll(/-----.*-----|\n/g, ""), "base64");
    // The organization's type (2.5.4.10) made that of a common name (2.5.4.3).
    const at = der.indexOf(Buffer.from("55040a", "hex"));
    der[at + 2] = 0x03;
    return `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString("base64")}\n-----END CERTIFICATE REQUEST-----\n`;
}
