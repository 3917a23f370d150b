import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { type StateResource, Workspace } from "./workspace";

const PROGRAM = `import * as tls from "@pulumi/tls";

const ca = new tls.PrivateKey("ca", { algorithm: "ECDSA", ecdsaCurve: "P256" });
const caCert = new tls.SelfSignedCert("ca", {
    privateKeyPem: ca.privateKeyPem,
    subject: { commonName: "test-ca" },
    isCaCertificate: true,
    validityPeriodHours: 24,
    allowedUses: ["cert_signing"],
});
const key = new tls.PrivateKey("leaf", { algorithm: "ECDSA", ecdsaCurve: "P256" });
const request = new tls.CertRequest("leaf", {
    privateKeyPem: key.privateKeyPem,
    subject: { commonName: "leaf" },
    dnsNames: ["leaf.example"],
    ipAddresses: ["127.0.0.1"],
});
const cert = new tls.LocallySignedCert("leaf", {
    certRequestPem: request.certRequestPem,
    caCertPem: caCert.certPem,
    caPrivateKeyPem: ca.privateKeyPem,
    validityPeriodHours: 12,
    allowedUses: ["server_auth"],
});
export const { certPem, readyForRenewal } = cert;
export const caPem = caCert.certPem;
export const keyPem = key.privateKeyPem;
`;

describe("the tls stand-in with the real engine", function () {
    this.timeout(120_000);
    let workspace: Workspace;

    beforeEach(async () => {
        workspace = await Workspace.create(PROGRAM);
    });
    afterEach(() => workspace.remove());

    it("creates a chain that verifies, changes nothing in a second up, and destroys it", async () => {
        const preview = await workspace.preview();
        assert.equal(preview.exitCode, 0, preview.output);
        assert.equal(preview.changes.create, 6);

        const up = await workspace.up();
        assert.equal(up.exitCode, 0, up.output);
        const { certPem, caPem } = (await workspace.outputs()) as Record<"certPem" | "caPem", string>;
        assert.ok(new X509Certificate(certPem).verify(new X509Certificate(caPem).publicKey));

        assert.deepEqual((await workspace.up()).changes, { same: 6 });
        assert.deepEqual((await workspace.refresh()).changes, { same: 6 });
        assert.equal((await workspace.destroy()).exitCode, 0);
        assert.deepEqual(workspace.state(), []);
    });

    it("encrypts private keys in the state and masks them in output", async () => {
        const { output } = await workspace.up();
        const state = JSON.stringify(workspace.state());

        for (const text of [output, state]) assert.doesNotMatch(text, /PRIVATE KEY/);
        assert.match(output, /keyPem\s*: \[secret\]/);
        assert.match(String((await workspace.outputs()).keyPem), /BEGIN EC PRIVATE KEY/);
    });

    it("replaces the CA and every leaf when the CA's key changes, and the preview says so", async () => {
        await workspace.up();
        const before = ids(workspace.state());
        workspace.write("index.ts", PROGRAM.replace('"P256"', '"P384"'));

        const preview = await workspace.preview();
        assert.deepEqual(preview.changes, { replace: 3, same: 3 });
        const up = await workspace.up();
        assert.equal(up.exitCode, 0, up.output);

        const after = ids(workspace.state());
        const replaced = Object.keys(after).filter((urn) => after[urn] !== before[urn]);
        assert.deepEqual(replaced.map(shortName).sort(), [
            "LocallySignedCert::leaf",
            "PrivateKey::ca",
            "SelfSignedCert::ca",
        ]);
    });

    it("renews a certificate in every up while renewal is due, and changes the renewal time in place", async () => {
        await workspace.up();
        const due = PROGRAM.replace("validityPeriodHours: 12", "validityPeriodHours: 12, earlyRenewalHours: 6");
        workspace.write("index.ts", due);
        assert.deepEqual((await workspace.up()).changes, { update: 1, same: 5 });

        workspace.write("index.ts", due.replace("earlyRenewalHours: 6", "earlyRenewalHours: 12"));
        assert.deepEqual((await workspace.up()).changes, { replace: 1, same: 5 });
        assert.deepEqual((await workspace.up()).changes, { replace: 1, same: 5 });
    });

    it("rejects unknown inputs in the preview", async () => {
        workspace.write("index.ts", PROGRAM.replace('"server_auth"', '"serve"').replace('"P256"', '"P25"'));

        const { exitCode, output } = await workspace.preview();

        assert.notEqual(exitCode, 0);
        assert.match(output, /ecdsaCurve must be one of P224, P256, P384, P521 \(got P25\)/);
    });
});

function ids(resources: StateResource[]): Record<string, string> {
    return Object.fromEntries(resources.filter(({ id }) => id).map(({ urn, id }) => [urn, id!]));
}

function shortName(urn: string): string {
    return urn.split(":").slice(-3).join(":");
}
