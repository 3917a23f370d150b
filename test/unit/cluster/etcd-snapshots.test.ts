import assert from "node:assert/strict";
import {
    requirePrivateStore,
    requireSnapshotSecrets,
    resolveEtcdSnapshots,
    snapshotKey,
} from "../../../cluster/etcd-snapshots";
import { encryptionKey } from "../../../cluster/keys/encryption";
import type { EtcdSnapshotOptions, EtcdSnapshotSecrets } from "../../../cluster/options";

describe("The options of etcd's snapshots", () => {
    it("have defaults", () => {
        const directory = "/var/lib/tradewind/etcd-snapshots";
        assert.deepEqual(resolveEtcdSnapshots("c", {}), { intervalSeconds: 3600, keep: 24, directory, keys: [] });
    });

    it("are taken as given", () => {
        const options = { interval: "1m", keep: 1, maxAge: "2d", directory: "/mnt/backup.disk" };
        const resolved = {
            ...{ intervalSeconds: 60, keep: 1, maxAgeSeconds: 172_800, directory: "/mnt/backup.disk" },
            keys: [],
        };
        assert.deepEqual(resolveEtcdSnapshots("c", options), resolved);
    });

    const s3 = { endpoint: "https://s3.example.com", bucket: "backups" };

    it("have defaults for a store", () => {
        const resolved = { ...s3, region: "us-east-1", prefix: "c", instanceRole: false };
        assert.deepEqual(resolveEtcdSnapshots("c", { s3 }).s3, { ...resolved, isEncrypted: true, plainHttp: false });
        const byRole = { ...s3, instanceRole: true };
        assert.equal(resolveEtcdSnapshots("c", { s3: byRole }).s3!.isEncrypted, true);
    });

    it("have a key of the stack with a store, also while nothing is encrypted with it", () => {
        const keys = (options: EtcdSnapshotOptions) => resolveEtcdSnapshots("c", options).keys;
        assert.deepEqual(keys({ s3 }), [1]);
        assert.deepEqual(keys({ s3: { ...s3, isEncrypted: false } }), [1]);
        assert.deepEqual(keys({}), []);
        assert.deepEqual(keys({ s3, keys: [] }), []);
        assert.deepEqual(keys({ s3, keys: [2, 1] }), [2, 1]);
        assert.deepEqual(keys({ keys: [1] }), [1]);
    });

    it("derive a key that nothing else has", () => {
        const key = snapshotKey("pem");
        assert.equal(Buffer.from(key, "base64").length, 32);
        assert.notEqual(key, encryptionKey("pem"));
    });

    it("refuse to upload unencrypted snapshots without TLS, unless that is allowed", () => {
        const check = (more: object) =>
            requirePrivateStore(
                resolveEtcdSnapshots("c", { s3: { ...s3, endpoint: "http://s3.example.com", ...more } }),
            );
        const message =
            /^etcdSnapshots\.s3\.endpoint must be an https:\/\/ URL, unless .* \(got http:\/\/s3\.example\.com\)$/;
        assert.throws(() => check({ isEncrypted: false }), { message });
        check({});
        check({ isEncrypted: false, plainHttp: true });
        check({ isEncrypted: false, endpoint: s3.endpoint });
        requirePrivateStore({});
    });

    const refused: [EtcdSnapshotOptions, RegExp][] = [
        [{ interval: "59s" }, /^etcdSnapshots\.interval must be a duration of 1m or more, .* \(got 59s\)$/],
        [{ interval: "hourly" }, /^etcdSnapshots\.interval must be a duration/],
        [{ maxAge: "59m" }, /^etcdSnapshots\.maxAge must be a duration of 1h or more, .* \(got 59m\)$/],
        [{ keep: 0 }, /^etcdSnapshots\.keep must be a whole number from 1 to 10000 \(got 0\)$/],
        [{ keep: 1.5 }, /^etcdSnapshots\.keep must be a whole number/],
        [{ keys: [1, 1] }, /^etcdSnapshots\.keys must be a list of distinct whole numbers, 1 or more \(got /],
        [{ keys: [0] }, /^etcdSnapshots\.keys must be a list/],
        [{ directory: "snapshots" }, /^etcdSnapshots\.directory must be an absolute path .* \(got snapshots\)$/],
        [{ directory: "/tmp" }, /^etcdSnapshots\.directory must be an absolute path of two or more/],
        [{ directory: "/var/../etc" }, /^etcdSnapshots\.directory must be an absolute path/],
        [
            { directory: "/var/lib/etcd/snapshots" },
            /^etcdSnapshots\.directory must be outside of \/var\/lib\/etcd \(got/,
        ],
        [{ directory: "/etc/kubernetes" }, /^etcdSnapshots\.directory must be outside of \/etc\/kubernetes \(got/],
        [{ s3: { ...s3, endpoint: "s3.example.com" } }, /^etcdSnapshots\.s3\.endpoint must be an http.* \(got s3\./],
        [
            { s3: { ...s3, endpoint: "https://s3.example.com/b" } },
            /^etcdSnapshots\.s3\.endpoint must be .* without a path/,
        ],
        [{ s3: { ...s3, bucket: "b" } }, /^etcdSnapshots\.s3\.bucket must be a bucket name .* \(got b\)$/],
        [{ s3: { ...s3, region: "" } }, /^etcdSnapshots\.s3\.region must be a region name .* \(got ""\)$/],
        [
            { s3: { ...s3, prefix: "/a" } },
            /^etcdSnapshots\.s3\.prefix must be plain names separated by slashes \(got \/a\)$/,
        ],
    ];
    for (const [options, message] of refused) {
        it(`refuse ${JSON.stringify(options)}`, () =>
            assert.throws(() => resolveEtcdSnapshots("c", options), { message }));
    }
});

describe("The secrets of a store of snapshots", () => {
    const endpoint = "https://s3.example.com";
    const { s3 } = resolveEtcdSnapshots("c", { s3: { endpoint, bucket: "backups", isEncrypted: true } });
    const secrets = {
        accessKeyId: "id",
        secretAccessKey: "key",
        encryptionKey: Buffer.alloc(32).toString("base64"),
    };

    it("are taken", () => requireSnapshotSecrets({ s3, keys: [] }, secrets));
    it("need no encryption key if the stack has one", () => {
        const { encryptionKey: _, ...access } = secrets;
        requireSnapshotSecrets({ s3, keys: [1] }, access);
        assert.throws(() => requireSnapshotSecrets({ s3, keys: [1] }, { ...access, encryptionKey: "" }), /got 0 bytes/);
    });
    it("are not needed without a store", () => requireSnapshotSecrets({ keys: [] }, undefined));

    it("are only the encryption key with an instance's role, if any", () => {
        const { encryptionKey } = secrets;
        const byRole = { ...s3!, instanceRole: true };
        requireSnapshotSecrets({ s3: byRole, keys: [] }, { encryptionKey });
        requireSnapshotSecrets({ s3: { ...byRole, isEncrypted: false }, keys: [] }, undefined);
        assert.throws(() => requireSnapshotSecrets({ s3: byRole, keys: [] }, undefined), {
            message:
                "etcdSnapshots.s3.encryptionKey must be 32 bytes in base64 (openssl rand -base64 32), or omitted to use a key of the stack (etcdSnapshots.keys) (got 0 bytes)",
        });
    });

    const refused: [EtcdSnapshotSecrets | undefined, string][] = [
        [undefined, "etcdSnapshots.s3.accessKeyId must be text without spaces (got nothing)"],
        [{ ...secrets, accessKeyId: "" }, "etcdSnapshots.s3.accessKeyId must be text without spaces (got nothing)"],
        [
            { ...secrets, secretAccessKey: "hush hush" },
            "etcdSnapshots.s3.secretAccessKey must be text without spaces (got one with spaces)",
        ],
        [
            { ...secrets, encryptionKey: "aHVzaA==" },
            "etcdSnapshots.s3.encryptionKey must be 32 bytes in base64 (openssl rand -base64 32), or omitted to use a key of the stack (etcdSnapshots.keys) (got 4 bytes)",
        ],
    ];
    for (const [given, message] of refused) {
        it(`are refused without telling them: ${message}`, () =>
            assert.throws(() => requireSnapshotSecrets({ s3, keys: [] }, given), { message }));
    }
});
