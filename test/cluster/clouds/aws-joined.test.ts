import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { builtAwsCloudController } from "../../../artifacts/test-recipes";
import type { Node } from "../../../clients/kubernetes/objects";
import { exec, list } from "../../../machines";
import { instance } from "../../../simulator/clouds/aws/instance";
import { callsPath } from "../../../simulator/clouds/aws/services/query/protocol";
import { deniedTo } from "../../account-calls";
import { describeLong } from "../../takes-long";
import { tradewindByStack } from "../by-stack";
import { eventually } from "../cluster";
import { hasJoined } from "../joined-machine";
import { simulatedAws, ubuntuAmi } from "../simulated-aws";
import { SimulatedCluster } from "../simulated-cluster";
import { withTestImages } from "../test-images";
import { createByHand } from "./by-hand";

const cluster = new SimulatedCluster("awsjoined", simulatedAws);
const node = "rack-1";

describeLong("an instance that the stack did not create, on a simulated AWS with its cloud controller", function () {
    this.timeout(420_000);
    const { account } = cluster;
    const tradewind = (...args: string[]) => tradewindByStack(["awsjoined", "aws"], args);
    const worker = () => account.all("instances").find(({ createdBy }) => createdBy === "awsjoined-default")!;
    const inputs = () => ({
        ami: ubuntuAmi,
        instanceType: "t3.medium",
        subnetId: worker().subnet,
        privateIp: address,
        vpcSecurityGroupIds: [...worker().groups],
        metadataOptions: { httpEndpoint: "enabled", httpTokens: "required", httpPutResponseHopLimit: 1 },
        rootBlockDevice: { volumeType: "gp3", volumeSize: 30, encrypted: true, tags: { Name: node } },
        tags: { Name: node },
    });
    let address: string;
    let id: string;
    const join = async (...args: string[]) =>
        (await tradewind("join-token", node, "--pool", "default", "--address", address, ...args)).stdout;
    const isNoNode = async () => assert.rejects(cluster.kubectl("get", "node", node), /not found/);

    withTestImages();
    before(async () => {
        // From an account that existed before.
        rmSync(callsPath(account.path), { force: true });
        await cluster.prepare(() => ({
            zones: ["a"],
            os: "cloud-init",
            image: ubuntuAmi,
            workerPools: [{ name: "default" }],
            cloudController: true,
            cloudImages: { awsCloudController: builtAwsCloudController },
        }));
        await cluster.up();
        await cluster.ready([worker().machine]);
        address = lastOf(account.find("subnets", worker().subnet).cidr);
    });
    after(() => cluster.destroy());

    it("boots from the config as user-data, which EC2 accepts only if it is compressed", async () => {
        const config = await join("--format", "cloud-init");
        const packed = gzipSync(config, { level: 9 });
        console.log(`        ${Buffer.byteLength(config)} bytes, compressed ${packed.length}`);
        await assert.rejects(
            createByHand(instance, account, { ...inputs(), userData: config }),
            /userData must be at most 16384 bytes/,
        );
        id = await createByHand(instance, account, { ...inputs(), userDataBase64: packed.toString("base64") });
        await hasJoined(cluster, node, "default", address);
    });

    it("is a node like others to the cloud controller, which keeps it", async () => {
        const { metadata, spec } = await cluster.get<Node>("node", node);
        assert.equal(spec?.providerID, `aws:///eu-central-1a/${id}`);
        assert.equal(metadata.labels?.["topology.kubernetes.io/zone"], "eu-central-1a");
        assert.deepEqual(spec?.taints ?? [], []);
        assert.match((await tradewind("status")).stdout, /^rack-1 +worker, by token +Ready/m);
        assert.deepEqual(deniedTo(account), []);
    });

    it("stays when the stack has nothing to change", async () => {
        await cluster.pulumi("preview", "--non-interactive", "--expect-no-changes");
        await cluster.up("--expect-no-changes");
        await hasJoined(cluster, node, "default", address);
    });

    it("is drained and cleaned by reset, and joins again by a command", async () => {
        await tradewind("reset", node);
        await isNoNode();
        assert.equal((await cluster.exec(node, "pgrep -l 'kubelet|containerd-shim' || true")).trim(), "");
        await exec(cluster.name, node, ["sh"], await join());
        await hasJoined(cluster, node, "default", address);
    });

    it("has no node once it is terminated, and may be given up then", async () => {
        await instance.delete(account, id);
        await eventually("the cloud controller to delete its node", isNoNode, 120);
        await assert.rejects(tradewind("reset", node), /the Node rack-1 was deleted, and its machine may still run/);
        await tradewind("reset", node, "--lost");
        assert.match((await tradewind("join-token", "--list")).stdout, /^no machine may join/m);
        assert.deepEqual(deniedTo(account), []);
    });

    it("leaves nothing in the account when the cluster is destroyed", async () => {
        await cluster.destroy();
        assert.deepEqual(account.left, []);
        assert.deepEqual(await list("awsjoined"), []);
    });
});

/** The last address that an instance may have in a subnet of up to 256: the next one is reserved. */
function lastOf(cidr: string): string {
    const [first = "", prefix] = cidr.split("/");
    return first.replace(/\d+$/, (byte) => String(Number(byte) + 2 ** (32 - Number(prefix)) - 2));
}
