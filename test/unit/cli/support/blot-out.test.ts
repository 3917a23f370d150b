import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import fc from "fast-check";
import { blotOut } from "../../../../cli/support/blot-out";

const { privateKey } = generateKeyPairSync("ec", {
    namedCurve: "P-256",
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
});

describe("what nobody else must read", () => {
    it("is blotted out: private keys, as they are, in JSON and in base64", () => {
        const [, body] = privateKey.split("\n");
        for (const text of [privateKey, JSON.stringify({ key: privateKey }), `a\n${privateKey}b\n${privateKey}`]) {
            assert.ok(!blotOut(text).includes(body!), text);
        }
        for (const before of ["", "x", "xy"]) {
            const encoded = Buffer.from(`${privateKey}${before}`).toString("base64");
            assert.equal(blotOut(`client-key-data: ${encoded}\n`), "client-key-data: [private key]\n");
        }
    });

    it("is blotted out: tokens and passwords", () => {
        const jwt = "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJrdWJlcm5ldGVzIn0.c2lnbmF0dXJlLXBhcnQ";
        assert.equal(blotOut(`got ${jwt}.`), "got [token].");
        assert.equal(blotOut("joined with abcdef.0123456789abcdef"), "joined with [bootstrap token]");
        assert.equal(blotOut("Authorization: Bearer abcdefgh12345678"), "Authorization: Bearer [token]");
        assert.equal(
            blotOut('{"secretAccessKey": "abcdefghij", "a": 1}'),
            '{"secretAccessKey": "[blotted out]", "a": 1}',
        );
        assert.equal(blotOut("id AKIAIOSFODNN7EXAMPLE here"), "id [access key] here");
        assert.equal(blotOut("DB_PASSWORD=hunter22 x"), "DB_PASSWORD=[blotted out] x");
    });

    it("is blotted out: keys of clouds, as environments, configurations and addresses have them", () => {
        const key = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
        for (const before of [
            "AWS_SECRET_ACCESS_KEY=",
            "aws_secret_access_key = ",
            "SPACES_SECRET_ACCESS_KEY: ",
            "DIGITALOCEAN_ACCESS_TOKEN=",
            "AWS_SESSION_TOKEN=",
            '"secretKey":"',
            "https://b.s3.amazonaws.com/config.ign?X-Amz-Expires=60&X-Amz-Signature=",
            "https://b.s3.amazonaws.com/config.ign?X-Amz-Security-Token=",
        ]) {
            assert.equal(blotOut(`${before}${key}`), `${before}[blotted out]`);
        }
    });

    it("is not what helps: names, numbers, certificates, times", () => {
        const text = [
            '"secretName": "kube-apiserver", "token-lifetime-controller", tokenExpirationSeconds: 3600',
            "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
            "I1122 09:41:01.123456 kube-apiserver-x7k2p.kube-system.svc 10.117.48.11:6443 etcd 3.6.8",
        ].join("\n");
        assert.equal(blotOut(text), text);
    });

    it("stays blotted out", () => {
        fc.assert(
            fc.property(fc.string(), (text) => {
                const once = blotOut(`${text} token=abcdefghij ${text}`);
                assert.ok(!once.includes("abcdefghij"));
                assert.equal(blotOut(once), once);
            }),
        );
    });
});
