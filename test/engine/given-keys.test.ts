import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { intermediateCa, rootCa, rsa } from "../unit/cluster/keys/own-cas";
import { PaperStack } from "./paper/paper-stack";

const config = {
    "tradewind:domain": "example.com",
    "tradewind:region": "fra1",
    "tradewind:image": "170000001",
    "tradewind:sshKeys": ["42"],
};
const cas = {
    kubernetesCa: rootCa("kubernetes-ca", rsa(2048)),
    etcdCa: intermediateCa("etcd"),
    frontProxyCa: rootCa("x"),
};

describe("CAs of a user's own, in a stack", function () {
    this.timeout(300_000);
    let stack: PaperStack;
    const give = (kind: string, field: string, text: string) =>
        stack.setSecrets({ [`tradewind:givenKeys.${kind}.1.${field}`]: text });

    before(async () => {
        stack = await PaperStack.create("digitalocean", config);
        for (const [kind, { certificate, key }] of Object.entries(cas)) {
            await give(kind, "certificate", certificate);
            await give(kind, "key", key);
        }
    });
    after(() => stack?.remove());

    it("are refused in a preview if key and certificate differ, without showing the key", async () => {
        const { certificate, key } = cas.frontProxyCa;
        await give("frontProxyCa", "key", cas.etcdCa.key);
        const { exitCode, output } = await stack.operation("preview");
        await give("frontProxyCa", "key", key);
        assert.notEqual(exitCode, 0);
        assert.match(output, /givenKeys\.frontProxyCa\.1\.key must be the key of the certificate \(got another key\)/);
        assert.ok(!output.includes("PRIVATE KEY") && !output.includes(certificate.split("\n")[1]!), output);
    });

    it("issue every certificate, and only the stack's own secrets have their keys", async () => {
        const { exitCode, output } = await stack.operation("up");
        assert.equal(exitCode, 0, output);
        const { output: ca } = await stack.run("stack", "output", "ca");
        assert.equal(ca.trim(), cas.kubernetesCa.certificate.trim());
        const shown = [...stack.stored(), ...stack.printed].map(({ text }) => text).concat(stack.events());
        for (const { key } of Object.values(cas)) {
            const [, line = ""] = key.split("\n");
            assert.ok(line.length > 40 && !shown.some((text) => text.includes(line)), "a key is in plain text");
        }
        const certificates = (await stack.resources()).flatMap(({ type, outputs }) =>
            type.endsWith(":LocallySignedCert") ? [new X509Certificate((outputs as { certPem: string }).certPem)] : [],
        );
        const issuers = Object.values(cas).map(({ certificate }) => new X509Certificate(certificate));
        assert.ok(certificates.length > 8, `${certificates.length}`);
        for (const each of certificates) {
            const [issuer] = issuers.filter((one) => each.checkIssued(one));
            assert.ok(issuer && each.verify(issuer.publicKey), each.subject);
        }
    });

    it("change nothing in the next preview", async () => {
        const { exitCode, output } = await stack.operation("preview", "--expect-no-changes");
        assert.equal(exitCode, 0, output);
    });
});
