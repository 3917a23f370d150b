import assert from "node:assert/strict";
import type { EtcdSnapshotOptions, EtcdSnapshotSecrets } from "../../../../cluster/options";
import { resolveCluster } from "../../../../cluster/resolve";
import { EtcdCare } from "../../../../components/in-cluster/etcd";
import { storeSecrets } from "../../../../components/in-cluster/store-secrets";
import { deploy } from "../../deploy";
import { objectsOf, ownership, textsOf } from "./owned-in-cluster";

const secretName = "c/secret/kube-system/etcd-snapshot-store";
const s3 = { endpoint: "https://s3.example.com", bucket: "snapshots", isEncrypted: false };

const keys = { 1: Buffer.alloc(32, 1).toString("base64"), 2: Buffer.alloc(32, 2).toString("base64") };

async function create(etcdSnapshots: EtcdSnapshotOptions, given?: EtcdSnapshotSecrets) {
    const cluster = resolveCluster({ name: "c", etcdSnapshots });
    const { resources } = await deploy(() => {
        const snapshotSecrets = storeSecrets(cluster, given, keys);
        return new EtcdCare("c", { cluster, snapshotSecrets, ...ownership() });
    });
    return objectsOf(resources);
}

describe("what keeps etcd well", () => {
    it("has a store's keys as a Secret, before what uses them", async () => {
        const secrets = { accessKeyId: "id", secretAccessKey: "key" };
        const objects = await create({ s3 }, secrets);
        const secret = objects.find(({ name }) => name === secretName)!;
        assert.deepEqual(secret.secretInputs, ["data"]);
        assert.deepEqual(textsOf(secret), { "access-key-id": "id", "secret-access-key": "key" });
        const keeper = objects.find(({ type }) => type.endsWith(":Deployment"))!;
        assert.ok(keeper.dependsOn.includes(secretName), keeper.dependsOn.join());
    });

    it("starts once its program and its permissions exist", async () => {
        const objects = await create({});
        const keeper = objects.find(({ type }) => type.endsWith(":Deployment"))!;
        const others = objects.filter((each) => each !== keeper);
        assert.deepEqual([...keeper.dependsOn].sort(), others.map(({ name }) => name).sort());
    });

    it("has only the encryption key as a Secret with an instance's role", async () => {
        const encryptionKey = Buffer.alloc(32).toString("base64");
        const objects = await create({ s3: { ...s3, instanceRole: true, isEncrypted: true } }, { encryptionKey });
        const secret = objects.find(({ name }) => name === secretName)!;
        assert.deepEqual(textsOf(secret), { "encryption-key": encryptionKey });
    });

    it("encrypts with the stack's first key if there is no other, and does not have former ones", async () => {
        for (const [options, key] of [
            [{}, keys[1]],
            [{ keys: [2, 1] }, keys[2]],
        ] as const) {
            const stored = { ...s3, instanceRole: true, isEncrypted: true };
            const objects = await create({ ...options, s3: stored } as EtcdSnapshotOptions);
            const secret = objects.find(({ name }) => name === secretName)!;
            assert.deepEqual(textsOf(secret), { "encryption-key": key });
        }
    });

    it("has none where snapshots stay on their controller", async () => {
        const objects = await create({ interval: "6h" });
        assert.deepEqual(
            objects.filter(({ type }) => type.endsWith(":Secret")),
            [],
        );
        assert.notEqual(objects.length, 0);
    });

    it("refuses a store without keys", async () => {
        await assert.rejects(
            () => create({ s3 }),
            /etcdSnapshots\.s3\.accessKeyId must be text without spaces \(got nothing\)/,
        );
    });
});
