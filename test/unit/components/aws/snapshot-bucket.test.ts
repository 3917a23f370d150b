import assert from "node:assert/strict";
import { etcdKeeperPlan } from "../../../../cluster/manifests/etcd/etcd-keeper";
import { resolveAws } from "../../../../components/aws/resolve";
import { deployAws } from "./deploy-aws";

const least = { domain: "example.com", region: "eu-central-1" };
const s3 = { endpoint: "https://s3.eu-central-1.amazonaws.com", bucket: "acme-backups", region: "eu-central-1" };

describe("the bucket of etcd's snapshots on AWS", () => {
    it("is one that the keeper uses as its instance's role", () => {
        const { cluster, aws } = resolveAws("c", { ...least, snapshotBucket: { name: "acme-c" } });
        assert.deepEqual(aws.snapshotBucket, { retained: true });
        assert.deepEqual(etcdKeeperPlan(cluster).snapshots.s3, {
            endpoint: "https://s3.eu-central-1.amazonaws.com",
            bucket: "acme-c",
            region: "eu-central-1",
            prefix: "c",
            isEncrypted: true,
            instanceRole: true,
            secrets: "/etc/tradewind/etcd-snapshot-store",
        });
    });

    it("has encrypted snapshots, unless that is turned off", () => {
        const isEncrypted = (bucket: object) =>
            resolveAws("c", { ...least, snapshotBucket: { name: "acme-c", ...bucket } }).cluster.etcdSnapshots.s3!
                .isEncrypted;
        assert.deepEqual([isEncrypted({}), isEncrypted({ isEncrypted: false })], [true, false]);
    });

    it("outlives the cluster, unless that is turned off", async () => {
        const isForced = async (retained?: boolean) => {
            const { resources } = await deployAws({
                snapshotBucket: { name: "acme-c", ...(retained === false && { retained }) },
            });
            return resources.find(({ name, type }) => name === "c-snapshots" && type.endsWith(":Bucket"))!.inputs
                .forceDestroy;
        };
        assert.deepEqual([await isForced(), await isForced(false)], [false, true]);
    });

    it("is private, and only used by controllers", async () => {
        const { resources } = await deployAws({ snapshotBucket: { name: "acme-c" }, workerPools: [{ name: "a" }] });
        const of = (type: string) =>
            resources.filter(({ name, type: each }) => name === "c-snapshots" && each.endsWith(type));
        assert.deepEqual(of(":Bucket")[0]!.inputs, {
            bucket: "acme-c",
            forceDestroy: false,
            tags: of(":Bucket")[0]!.inputs.tags,
        });
        assert.equal(of(":BucketPublicAccessBlock").length, 1);
        assert.equal(of(":BucketServerSideEncryptionConfiguration").length, 1);
        const permissions = resources.filter(({ inputs }) => String(inputs.policy).includes("c-snapshots"));
        assert.deepEqual(
            permissions.map(({ name, inputs }) => [name, inputs.role]),
            [["c-etcd-keeper", "c-controller-id"]],
        );
        // No access key is anywhere, only a key of the stack's for encryption.
        const secret = resources.filter(({ name }) => name.includes("etcd-snapshot-store"));
        assert.deepEqual(
            secret.map(({ inputs }) => Object.keys((inputs as { data: object }).data)),
            [["encryption-key"]],
        );
    });

    it("may be an existing one, with permission for the cluster's own part of it", async () => {
        const etcdSnapshots = { s3: { ...s3, prefix: "prod/c", instanceRole: true } };
        const { resources } = await deployAws({ etcdSnapshots });
        const { policy } = resources.find(({ name }) => name === "c-etcd-keeper")!.inputs;
        assert.deepEqual(JSON.parse(policy).Statement, [
            {
                Effect: "Allow",
                Action: ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"],
                Resource: ["arn:aws:s3:::acme-backups/prod/c/*"],
            },
            {
                Effect: "Allow",
                Action: ["s3:ListBucket"],
                Resource: ["arn:aws:s3:::acme-backups"],
                Condition: { StringLike: { "s3:prefix": "prod/c/*" } },
            },
        ]);
        assert.deepEqual(
            resources.filter(({ name }) => name === "c-snapshots"),
            [],
        );
    });

    it("does not exist by default, nor with user-provided keys", async () => {
        const etcdSnapshots = { s3: { ...s3, isEncrypted: false } };
        const etcdSnapshotSecrets = { accessKeyId: "id", secretAccessKey: "key" };
        for (const options of [{}, { etcdSnapshots, etcdSnapshotSecrets }]) {
            const { resources } = await deployAws(options);
            assert.deepEqual(
                resources.filter(({ name }) => ["c-snapshots", "c-etcd-keeper"].includes(name)),
                [],
            );
        }
    });

    const refused: [string, object, RegExp][] = [
        [
            "a name that S3 would refuse",
            { snapshotBucket: { name: "Acme_1" } },
            /^snapshotBucket\.name must be 3 to 63 lower-case letters, .* \(got Acme_1\)$/,
        ],
        [
            "one of yours as well",
            { snapshotBucket: { name: "acme" }, etcdSnapshots: { s3 } },
            /^snapshotBucket conflicts with etcdSnapshots\.s3 \(got acme\)$/,
        ],
    ];
    for (const [what, options, message] of refused) {
        it(`is refused with ${what}`, () => {
            assert.throws(() => resolveAws("c", { ...least, ...options }), { message });
        });
    }

    it("is refused with keys in addition to the role", async () => {
        const etcdSnapshotSecrets = { accessKeyId: "id", secretAccessKey: "key" };
        const refused: [boolean, RegExp][] = [
            [true, /etcdSnapshots\.s3\.accessKeyId conflicts with instanceRole/],
            [false, /etcdSnapshotSecrets conflicts with etcdSnapshots\.s3\.instanceRole/],
        ];
        for (const [isEncrypted, message] of refused) {
            const etcdSnapshots = { s3: { ...s3, instanceRole: true, isEncrypted } };
            await assert.rejects(deployAws({ etcdSnapshots, etcdSnapshotSecrets }), message);
        }
    });
});
