import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { builtVolumeImages, volumeImages } from "../../../artifacts/test-recipes";
import { list } from "../../../machines";
import { privileges } from "../../../machines/machine-container";
import { callsPath } from "../../../simulator/clouds/aws/services/query/protocol";
import { images } from "../../../versions/images";
import { callsOf, deniedTo } from "../../account-calls";
import { describeLong } from "../../takes-long";
import { eventually } from "../cluster";
import { simulatedAws } from "../simulated-aws";
import { SimulatedCluster } from "../simulated-cluster";
import { withTestImages } from "../test-images";

const name = "awsvol";
const cluster = new SimulatedCluster(name, simulatedAws);
const driver = "ebs.csi.aws.com";
/** Without CAP_SYS_RESOURCE, which a sandbox may lack, no file system can grow while mounted. */
const growsMounted = !privileges().includes("SYS_RESOURCE");

interface Claim {
    readonly spec: { readonly volumeName: string };
    readonly status: { readonly phase: string; readonly capacity?: { readonly storage: string } };
}

// Its images contain Go programs that take minutes to build the first time.
describeLong("AWS' volume driver in a cluster on a simulated AWS", function () {
    this.timeout(400_000);
    const { account } = cluster;
    const workers = () =>
        Object.entries(account.resources.instances).filter(([, { createdBy }]) => createdBy !== undefined);
    const machines = () => workers().map(([, { machine }]) => machine);
    const role = () => account.all("rolePolicies").find(({ name: policy }) => /csi-driver/.test(policy))!.role;
    const created = () =>
        Object.entries(account.resources.volumes).filter(([, { createdBy }]) => createdBy !== undefined);
    const holderOf = (id: string) => account.all("volumeAttachments").find(({ volume }) => volume === id)?.instance;
    const events = () => cluster.kubectl("get", "events", "-A", "-o", "custom-columns=:.reason,:.message");

    /** A pod on a node that appends its name to a file of the claim, and runs until it is deleted. */
    const write = async (pod: string, node: string, claimName = "data") => {
        const script = `echo ${pod} >>/data/names && sync && sleep 100000`;
        const spec = {
            nodeSelector: { "kubernetes.io/hostname": node },
            terminationGracePeriodSeconds: 0,
            containers: [
                {
                    name: "writer",
                    image: images.busybox,
                    command: ["sh", "-c", script],
                    volumeMounts: [{ name: "data", mountPath: "/data" }],
                },
            ],
            volumes: [{ name: "data", persistentVolumeClaim: { claimName } }],
        };
        await cluster.apply({ apiVersion: "v1", kind: "Pod", metadata: { name: pod }, spec });
        const read = () => cluster.kubectl("exec", pod, "--", "cat", "/data/names");
        return eventually(`a file that ${pod} wrote`, read, 120);
    };
    const claim = (metadata: { name: string }, storage: string, source: object = {}) => {
        const spec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } }, ...source };
        return cluster.apply({ apiVersion: "v1", kind: "PersistentVolumeClaim", metadata, spec });
    };

    withTestImages(volumeImages);
    before(async () => {
        // From an account that existed before.
        rmSync(callsPath(account.path), { force: true });
        await cluster.prepare(() => ({
            zones: ["a"],
            workerPools: [{ name: "default", count: 2 }],
            csiDriver: true,
            volumeSnapshots: true,
            cloudImages: builtVolumeImages,
        }));
    });
    after(() => cluster.destroy());

    it("starts from user-data alone, and runs on each node under its instance's name", async () => {
        await cluster.up();
        await cluster.ready(machines());
        interface CsiNode {
            readonly metadata: { readonly name: string };
            readonly spec: { readonly drivers: { readonly name: string; readonly nodeID: string }[] | null };
        }
        await eventually("the driver on each node", async () => {
            const { items } = await cluster.get<{ items: CsiNode[] }>("csinodes");
            const instances = Object.entries(account.resources.instances);
            assert.equal(items.length, 3);
            for (const { metadata, spec } of items) {
                const [id] = instances.find(([, { machine }]) => machine === metadata.name)!;
                assert.deepEqual(
                    spec.drivers?.map((each) => [each.name, each.nodeID]),
                    [[driver, id]],
                );
            }
        });
    });

    it("creates an encrypted volume with the cluster's tag, in the zone of the pod that uses it", async () => {
        await claim({ name: "data" }, "1Gi");
        const [first] = machines();
        assert.equal(await write("first", first!), "first\n");
        const volumes = created();
        assert.equal(volumes.length, 1);
        const [[id, { zone, size, isEncrypted, tags = {}, createdBy }]] = volumes as [(typeof volumes)[number]];
        assert.deepEqual([zone, size, isEncrypted, createdBy], ["eu-central-1a", 1, true, role()]);
        assert.equal(tags[`kubernetes.io/cluster/${name}`], "owned");
        assert.equal(tags["kubernetes.io/created-for/pvc/name"], "data");
        assert.equal(tags["tradewind.dev/cluster"], undefined);
        assert.equal(holderOf(id), workers()[0]![0]);
    });

    it("moves the data to another node", async () => {
        await cluster.kubectl("delete", "pod", "first");
        const [, second] = machines();
        assert.equal(await write("second", second!), "first\nsecond\n");
        const [[id]] = created() as [[string, unknown]];
        assert.equal(holderOf(id), workers()[1]![0]);
        // Nothing of it stays on the old node.
        assert.equal(await cluster.exec(machines()[0]!, "ls /dev/disk/by-id 2>/dev/null || true"), "");
    });

    it("restores a snapshot of it in another claim, and deletes the snapshot", async () => {
        const snapshots = () => Object.values(account.resources.snapshots ?? {});
        await cluster.apply({
            apiVersion: "snapshot.storage.k8s.io/v1",
            kind: "VolumeSnapshot",
            metadata: { name: "earlier", namespace: "default" },
            spec: { source: { persistentVolumeClaimName: "data" } },
        });
        await cluster.kubectl(
            ...["wait", "volumesnapshot/earlier", "--for=jsonpath={.status.readyToUse}=true", "--timeout=120s"],
        );
        const [{ volume, isEncrypted, createdBy, tags = {} }] = snapshots() as [ReturnType<typeof snapshots>[number]];
        assert.deepEqual([volume, isEncrypted, createdBy], [created()[0]![0], true, role()]);
        assert.equal(tags[`kubernetes.io/cluster/${name}`], "owned");

        const dataSource = { apiGroup: "snapshot.storage.k8s.io", kind: "VolumeSnapshot", name: "earlier" };
        await claim({ name: "restored" }, "1Gi", { dataSource });
        assert.equal(await write("third", machines()[0]!, "restored"), "first\nsecond\nthird\n");
        assert.equal(await cluster.kubectl("exec", "second", "--", "cat", "/data/names"), "first\nsecond\n");

        await cluster.kubectl("delete", "pod/third", "pvc/restored", "volumesnapshot/earlier");
        await eventually("no snapshot", async () => assert.deepEqual(snapshots(), []), 90);
        await eventually("only the first volume", async () => assert.equal(created().length, 1), 90);
    });

    it(`grows it while in use${growsMounted ? "" : ", except for its file system"}`, async () => {
        await claim({ name: "data" }, "2Gi");
        const { spec } = await cluster.get<Claim>("pvc", "data");
        const [[id]] = created() as [[string, unknown]];
        await eventually("a larger volume", async () => assert.equal(account.find("volumes", id).size, 2), 90);
        const path = ["-o", "jsonpath={.spec.capacity.storage}"];
        await eventually("the size in its PersistentVolume", async () => {
            assert.equal(await cluster.kubectl("get", "pv", spec.volumeName, ...path), "2Gi");
        });
        const device = `/dev/disk/by-id/nvme-Amazon_Elastic_Block_Store_${id.replace("-", "")}`;
        const bytes = await cluster.exec(machines()[1]!, `blockdev --getsize64 ${device}`);
        assert.equal(bytes.trim(), String(2 * 2 ** 30));
        await eventually(
            "the result for its file system",
            async () => {
                const { status } = await cluster.get<Claim>("pvc", "data");
                if (growsMounted) assert.equal(status.capacity?.storage, "2Gi");
                else assert.match(await events(), /VolumeResizeFailed.*Permission denied to resize filesystem/s);
            },
            150,
        );
    });

    it("deletes it with its claim", async () => {
        await cluster.kubectl("delete", "pod", "second");
        await cluster.kubectl("delete", "pvc", "data");
        await eventually("no volume", async () => assert.deepEqual(created(), []), 90);
    });

    it("cannot get at etcd's volume, by any name", async () => {
        const [etcd] = Object.entries(account.resources.volumes).find(([, { createdBy }]) => createdBy === undefined)!;
        const spec = {
            accessModes: ["ReadWriteOnce"],
            capacity: { storage: "1Gi" },
            persistentVolumeReclaimPolicy: "Delete",
            storageClassName: "gp3",
            csi: { driver, volumeHandle: etcd, fsType: "ext4" },
        };
        const annotations = { "pv.kubernetes.io/provisioned-by": driver };
        const metadata = { name: "stolen", annotations };
        await cluster.apply({ apiVersion: "v1", kind: "PersistentVolume", metadata, spec });
        const desired = {
            accessModes: ["ReadWriteOnce"],
            resources: { requests: { storage: "1Gi" } },
            storageClassName: "gp3",
            volumeName: "stolen",
        };
        const kind = "PersistentVolumeClaim";
        await cluster.apply({ apiVersion: "v1", kind, metadata: { name: "stolen" }, spec: desired });
        await eventually("a bound claim", async () => {
            assert.equal((await cluster.get<Claim>("pvc", "stolen")).status.phase, "Bound");
        });
        await cluster.kubectl("delete", "pvc", "stolen");
        await eventually("the refusal", async () => assert.match(await events(), /VolumeFailedDelete.*UnauthorizedOp/));
        assert.ok(account.find("volumes", etcd));
        await cluster.kubectl("patch", "pv", "stolen", "--type=merge", "-p", '{"metadata":{"finalizers":null}}');
        await cluster.kubectl("delete", "pv", "stolen", "--wait=false");
        await cluster
            .kubectl("patch", "pv", "stolen", "--type=merge", "-p", '{"metadata":{"finalizers":null}}')
            .catch(() => {});
        await cluster.kubectl("wait", "pv/stolen", "--for=delete", "--timeout=60s");
    });

    it("has the permissions it used in the cloud and in the cluster, and lacked none but that", async () => {
        const denied = deniedTo(account);
        assert.ok(
            denied.length > 0 && denied.every((line) => / ec2:DeleteVolume on .*"tradewind\.dev/.test(line)),
            denied.join("\n"),
        );
        const used = [...new Set(callsOf(account).map((line) => line.split(" ")[1]!))];
        console.log(
            `        used: ${used
                .filter((action) => action.startsWith("ec2:"))
                .sort()
                .join(", ")}`,
        );
        const changes = [
            ...["AttachVolume", "CreateTags", "CreateVolume", "DeleteVolume", "DetachVolume", "ModifyVolume"],
            ...["CreateSnapshot", "DeleteSnapshot"],
        ];
        for (const action of changes) assert.ok(used.includes(`ec2:${action}`), action);
        for (const of of [
            "deployment/ebs-csi-controller",
            "daemonset/ebs-csi-node",
            "deployment/snapshot-controller",
        ]) {
            const logs = await cluster.kubectl("-n", "kube-system", "logs", of, "--all-containers", "--tail=-1");
            const lacking = logs.split("\n").filter((line) => /is forbidden|Failed to watch/.test(line));
            // Optional, and only asked by the provisioner built here, which is newer than the pinned one.
            assert.deepEqual(
                lacking.filter(
                    (line) => !/controller\\" cannot (watch|update) resource \\"volumesnapshots\\"/.test(line),
                ),
                [],
            );
        }
    });

    it("shows no change in a second up", async () => {
        const { stdout } = await cluster.up("--expect-no-changes");
        assert.match(stdout, /\d+ unchanged/);
    });

    it("is destroyed with a pod and its volume still there, and leaves nothing in the account", async () => {
        await claim({ name: "last" }, "1Gi");
        await write("last", machines()[0]!, "last");
        assert.equal(created().length, 1);
        await cluster.destroy();
        assert.deepEqual(account.left, []);
        assert.deepEqual(await list(name), []);
    });
});
