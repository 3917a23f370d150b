import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { etcdSnapshots } from "../../../stacks/program-options";

const secrets = { accessKeyId: "id", secretAccessKey: "hush", encryptionKey: Buffer.alloc(32).toString("base64") };
const s3 = { endpoint: "https://s3.example.com", bucket: "backups" };

describe("The snapshots of a stack's configuration", () => {
    it("are apart from their secrets, which stay secret", async () => {
        const { etcdSnapshots: options, etcdSnapshotSecrets } = etcdSnapshots({
            etcdSnapshots: { keep: 3, s3: { ...s3, ...secrets } },
        });
        assert.deepEqual(options, { keep: 3, s3: { ...s3, isEncrypted: true } });
        assert.equal(await pulumi.isSecret(etcdSnapshotSecrets as pulumi.Output<unknown>), true);
    });

    it("are encrypted by default, with a key of the stack if there is no other", () => {
        const { encryptionKey, ...rest } = secrets;
        const isEncrypted = (more: object, options: object = {}) =>
            etcdSnapshots({ etcdSnapshots: { ...options, s3: { ...s3, ...rest, ...more } } }).etcdSnapshots?.s3
                ?.isEncrypted;
        assert.equal(isEncrypted({}), true);
        assert.throws(() => isEncrypted({}, { keys: [] }), /encryptionKey must be 32 bytes .* \(got 0 bytes\)$/);
        assert.equal(isEncrypted({ isEncrypted: false }), false);
        assert.equal(isEncrypted({ encryptionKey }, { keys: [] }), true);
    });

    it("with a wrong key are an error of the preview", () => {
        const wrong = { ...secrets, encryptionKey: "hush" };
        const message = /^etcdSnapshots\.s3\.encryptionKey must be 32 bytes in base64 .* \(got 3 bytes\)$/;
        assert.throws(() => etcdSnapshots({ etcdSnapshots: { s3: { ...s3, ...wrong } } }), { message });
    });

    it("have no secrets with an instance role", () => {
        const byRole = { ...s3, instanceRole: true };
        assert.deepEqual(etcdSnapshots({ etcdSnapshots: { s3: byRole } }), {
            etcdSnapshots: { s3: { ...byRole, isEncrypted: true } },
        });
        const { encryptionKey, ...keys } = secrets;
        const message = /^etcdSnapshots\.s3\.accessKeyId conflicts with instanceRole$/;
        assert.throws(() => etcdSnapshots({ etcdSnapshots: { s3: { ...byRole, ...keys } } }), { message });
    });

    it("have only the encryption key with an instance role, which stays secret", async () => {
        const { encryptionKey } = secrets;
        const { etcdSnapshots: options, etcdSnapshotSecrets } = etcdSnapshots({
            etcdSnapshots: { s3: { ...s3, instanceRole: true, encryptionKey } },
        });
        assert.deepEqual(options, { s3: { ...s3, instanceRole: true, isEncrypted: true } });
        assert.equal(await pulumi.isSecret(etcdSnapshotSecrets as pulumi.Output<unknown>), true);
        const given = await new Promise((resolve) => pulumi.output(etcdSnapshotSecrets).apply(resolve));
        assert.deepEqual(given, { encryptionKey });
    });

    it("without a key are an error of the preview", () => {
        const message = /^etcdSnapshots\.s3\.accessKeyId must be text without spaces \(got nothing\)$/;
        assert.throws(() => etcdSnapshots({ etcdSnapshots: { s3 } }), { message });
    });

    it("may use the defaults", () => assert.deepEqual(etcdSnapshots({}), { etcdSnapshots: undefined }));
});
