import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createPrivateKey } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Secret } from "../../../../../simulator/plugins/protocol/serve";
import { privateKey } from "../../../../../simulator/plugins/tls/private-key";
import { create } from "./create";

describe("private keys of the tls stand-in", function () {
    this.timeout(110_000);

    it("can be created by the thousand while the garbage collector runs", () => {
        const keys = join(__dirname, "../../../../../simulator/plugins/tls/private-key.ts");
        const script = `const { privateKey } = require(${JSON.stringify(keys)});
(async () => {
    for (let count = 0; count < 2_500; count++) await privateKey.create({ inputs: { algorithm: "ECDSA", ecdsaCurve: "P256" } });
})();`;
        execFileSync(process.execPath, ["--max-semi-space-size=1", "--require", "tsx/cjs", "--eval", script], {
            // A deadlock never ends; a busy machine takes a while.
            timeout: 100_000,
        });
    });

    const headers: [object, string][] = [
        [{ algorithm: "ECDSA", ecdsaCurve: "P256" }, "EC PRIVATE KEY"],
        [{ algorithm: "RSA" }, "RSA PRIVATE KEY"],
        [{ algorithm: "ED25519" }, "PRIVATE KEY"],
    ];
    for (const [inputs, header] of headers) {
        it(`are written as "${header}" and as PKCS #8: ${Object.values(inputs)}`, async () => {
            const key = await create(privateKey, inputs);

            assert.match(String(key.privateKeyPem), new RegExp(`^-----BEGIN ${header}-----\n`));
            assert.match(String(key.privateKeyPemPkcs8), /^-----BEGIN PRIVATE KEY-----\n/);
            const pkcs8 = createPrivateKey(String(key.privateKeyPemPkcs8));
            assert.ok(createPrivateKey(String(key.privateKeyPem)).equals(pkcs8));
        });

        it(`can be read by OpenSSH, with the same public key: ${Object.values(inputs)}`, async () => {
            const folder = mkdtempSync(join(tmpdir(), "tradewind-ssh-"));
            try {
                const key = await create(privateKey, inputs);
                const file = join(folder, "key");
                writeFileSync(file, String(key.privateKeyOpenssh), { mode: 0o600 });
                const ssh = (...args: string[]) => execFileSync("ssh-keygen", args, { encoding: "utf8" });

                assert.equal(ssh("-y", "-f", file).trim(), String(key.publicKeyOpenssh).trim());
                assert.ok(ssh("-l", "-f", file).includes(String(key.publicKeyFingerprintSha256)));
                assert.ok(ssh("-l", "-E", "md5", "-f", file).includes(`MD5:${key.publicKeyFingerprintMd5}`));
            } finally {
                rmSync(folder, { recursive: true });
            }
        });
    }

    it("have no OpenSSH form with P224, the default curve", async () => {
        const key = await create(privateKey, { algorithm: "ECDSA" });

        assert.equal(key.ecdsaCurve, "P224");
        assert.equal(key.publicKeyOpenssh, "");
        assert.equal(key.privateKeyOpenssh, "");
    });

    it("are secret", async () => {
        const { state } = await privateKey.create({ inputs: { algorithm: "ED25519" }, preview: false } as never);

        const secrets = Object.keys(state).filter((name) => state[name] instanceof Secret);
        assert.deepEqual(secrets, ["privateKeyPem", "privateKeyPemPkcs8", "privateKeyOpenssh"]);
    });
});
