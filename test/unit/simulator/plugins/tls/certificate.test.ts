import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { certRequest } from "../../../../../simulator/plugins/tls/cert-request";
import { locallySignedCert, selfSignedCert } from "../../../../../simulator/plugins/tls/certificate-resource";
import { privateKey } from "../../../../../simulator/plugins/tls/private-key";
import { create } from "./create";

const P256 = { algorithm: "ECDSA", ecdsaCurve: "P256" };

const KEYS = [
    { algorithm: "ECDSA", ecdsaCurve: "P224" },
    P256,
    { algorithm: "ECDSA", ecdsaCurve: "P384" },
    { algorithm: "ECDSA", ecdsaCurve: "P521" },
    { algorithm: "RSA", rsaBits: 2048 },
    { algorithm: "ED25519" },
];

async function chain(keyInputs: object, leafInputs: object = {}) {
    const ca = await create(privateKey, keyInputs);
    const caCert = await create(selfSignedCert, {
        privateKeyPem: ca.privateKeyPem,
        subject: { commonName: "Gefäß CA", organization: "Tradewind" },
        isCaCertificate: true,
        validityPeriodHours: 24 * 3650,
        allowedUses: ["cert_signing", "crl_signing", "digital_signature"],
    });
    const key = await create(privateKey, keyInputs);
    const request = await create(certRequest, {
        privateKeyPem: key.privateKeyPem,
        subject: { commonName: "kube-apiserver", organization: "system:nodes" },
        dnsNames: ["kubernetes.default.svc", "api.example.com"],
        ipAddresses: ["10.3.0.1", "fd00::1"],
        uris: ["spiffe://example/api"],
    });
    const cert = await create(locallySignedCert, {
        certRequestPem: request.certRequestPem,
        caCertPem: caCert.certPem,
        caPrivateKeyPem: ca.privateKeyPem,
        validityPeriodHours: 8760,
        allowedUses: ["digital_signature", "key_encipherment", "server_auth", "client_auth"],
        ...leafInputs,
    });
    return { caPem: caCert.certPem, requestPem: request.certRequestPem, certPem: cert.certPem };
}

describe("certificates of the tls stand-in", function () {
    this.timeout(30_000);
    let folder: string;
    const openssl = (...args: string[]) =>
        execFileSync("openssl", args, { encoding: "utf8", cwd: folder, stdio: "pipe" });

    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-tls-"));
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    for (const keyInputs of KEYS) {
        it(`pass strict verification, by name and address: ${Object.values(keyInputs).join(" ")}`, async () => {
            const { caPem, requestPem, certPem } = await chain(keyInputs);
            for (const [file, pem] of Object.entries({ ca: caPem, request: requestPem, cert: certPem })) {
                writeFileSync(join(folder, file), String(pem));
            }

            const verify = (...args: string[]) =>
                openssl("verify", "-x509_strict", "-CAfile", "ca", "-purpose", "sslserver", ...args, "cert");
            assert.match(verify("-verify_ip", "10.3.0.1"), /OK/);
            assert.match(verify("-verify_ip", "fd00::1"), /OK/);
            assert.match(verify("-verify_hostname", "api.example.com"), /OK/);
            assert.throws(() => verify("-verify_hostname", "other.example.com"));
            assert.match(openssl("req", "-in", "request", "-noout", "-verify", "-subject"), /CN = kube-apiserver/);
        });
    }

    it("contain their key usage, as Go's would", async () => {
        const { caPem, certPem } = await chain(P256, { setSubjectKeyId: true });
        const [ca, cert] = [new X509Certificate(String(caPem)), new X509Certificate(String(certPem))];
        writeFileSync(join(folder, "cert"), String(certPem));
        writeFileSync(join(folder, "ca"), String(caPem));
        const text = openssl("x509", "-in", "cert", "-noout", "-text");

        assert.equal(ca.subject, "O=Tradewind\nCN=Gefäß CA");
        assert.equal(cert.subject, "O=system:nodes\nCN=kube-apiserver");
        assert.ok(cert.checkIssued(ca));
        assert.deepEqual([ca.ca, cert.ca], [true, false]);
        assert.match(text, /Key Usage: critical\s+Digital Signature, Key Encipherment\n/);
        assert.match(text, /Extended Key Usage: \s+TLS Web Server Authentication, TLS Web Client Authentication\n/);
        assert.match(text, /Basic Constraints: critical\s+CA:FALSE/);
        assert.match(text, /URI:spiffe:\/\/example\/api/);
        const keyId = (name: string, file: string) =>
            new RegExp(`${name} Key Identifier: \\s+([0-9A-F:]+)`).exec(
                openssl("x509", "-in", file, "-noout", "-text"),
            )?.[1];
        assert.equal(keyId("Authority", "cert"), keyId("Subject", "ca"));
        assert.ok(keyId("Subject", "cert"));
    });

    it("are CAs of limited depth on request", async () => {
        const { certPem } = await chain(P256, {
            isCaCertificate: true,
            maxPathLength: 0,
            allowedUses: ["cert_signing"],
        });
        writeFileSync(join(folder, "cert"), String(certPem));

        assert.match(
            openssl("x509", "-in", "cert", "-noout", "-text"),
            /Basic Constraints: critical\s+CA:TRUE, pathlen:0/,
        );
    });

    it("have critical names if there is no subject", async () => {
        const key = await create(privateKey, P256);
        const cert = await create(selfSignedCert, {
            privateKeyPem: key.privateKeyPem,
            dnsNames: ["only.example"],
            validityPeriodHours: 1,
            allowedUses: ["server_auth"],
        });
        writeFileSync(join(folder, "cert"), String(cert.certPem));

        assert.match(
            openssl("x509", "-in", "cert", "-noout", "-text"),
            /Subject Alternative Name: critical\s+DNS:only/,
        );
    });

    it("cannot be created from an invalid key, certificate or request", async () => {
        await assert.rejects(
            create(certRequest, { privateKeyPem: "x" }),
            /privateKeyPem must be a private key in PEM form/,
        );
        const { caPem } = await chain(P256);
        const key = await create(privateKey, P256);
        const inputs = { caPrivateKeyPem: key.privateKeyPem, validityPeriodHours: 1, allowedUses: [] };
        await assert.rejects(
            create(locallySignedCert, { ...inputs, caCertPem: caPem, certRequestPem: caPem }),
            /certRequestPem must be a CERTIFICATE REQUEST in PEM form/,
        );
    });
});
