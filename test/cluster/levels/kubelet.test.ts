import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { images } from "../../../versions/images";
import { describeLong } from "../../takes-long";
import { eventually, kubectlPath, TestCluster } from "../cluster";
import { brokenVolumes, inWork, makeWork, prepareWork, removeWork } from "../kubelet-work";
import { kubeletsOn, podsWork, untilKubelets } from "../kubelets-seen";

const cluster = new TestCluster("level0-work");
const node = `${cluster.name}-default-0`;

interface Summary {
    readonly node: Record<string, unknown>;
    readonly pods: { readonly podRef: { readonly name: string } }[];
}

const summary = async () =>
    JSON.parse(await cluster.kubectl("get", "--raw", `/api/v1/nodes/${node}/proxy/stats/summary`)) as Summary;

/** The names of all fields, sorted; numbers and times differ from moment to moment. */
function fields(value: unknown, path = ""): string[] {
    if (typeof value !== "object" || value === null) return [path];
    return Object.entries(value)
        .flatMap(([key, each]) => fields(each, Array.isArray(value) ? `${path}[]` : `${path}.${key}`))
        .filter((each, index, all) => all.indexOf(each) === index)
        .sort();
}

/** What a kubelet finds out about its node. */
async function facts() {
    const { status } = await cluster.get<{ status: Record<string, unknown> }>("node", node);
    const { nodeInfo, capacity, allocatable } = status;
    const { node: stats } = await summary();
    const { systemContainers: _, ...ofNode } = stats;
    const { capacityBytes } = stats.fs as { capacityBytes: number };
    const delays = await cluster.exec(node, "systemd-inhibit --list --no-legend | grep -c kubelet");
    return { nodeInfo, capacity, allocatable, stats: fields(ofNode), capacityBytes, delays };
}

const inPod = async (command: string) => (await inWork(cluster, "exec", "late", "--", "sh", "-c", command)).trim();

describeLong("a kubelet that runs as a pod, from its image's file system", function () {
    this.timeout(600_000);

    let ofHost: Awaited<ReturnType<typeof facts>>;

    before(async () => {
        await cluster.start("--controllers", "1", "--workers", "1", "--yes");
        await prepareWork(cluster, node);
        await makeWork(cluster, node, "early");
        ofHost = await eventually("the kubelet has statistics", facts);
        await cluster.start("--level", "0-4", "--yes");
        await untilKubelets(cluster, node, "the pod's kubelet works", podsWork);
    });
    after(() => cluster.destroy());

    it("runs the image's program, with the image's tools, in its own mount namespace", async () => {
        const of = (what: string) => cluster.exec(node, `pid=$(cat /run/kubelet-pod.pid); ${what}`);
        assert.equal((await of("readlink /proc/$pid/exe")).trim(), "/usr/local/bin/kubelet");
        const [own, host] = (await of("readlink /proc/$pid/ns/mnt /proc/1/ns/mnt")).trim().split("\n");
        assert.notEqual(own, host);
        const inodes = await of("stat -Lc %d:%i /proc/$pid/root/usr/bin/mount /usr/bin/mount");
        assert.equal(new Set(inodes.trim().split("\n")).size, 2);
        assert.equal((await of("cat /proc/1/root/usr/local/bin/kubelet 2>/dev/null | wc -c")).trim(), "0");
        const mounts = (await of("cut -d ' ' -f 5 /proc/$pid/mountinfo")).trim().split("\n");
        const isAgain = (each: string, index: number) =>
            each.startsWith("/.node") || (each.startsWith("/var/lib/kubelet") && mounts.indexOf(each) !== index);
        const again = mounts.filter(isAgain);
        assert.deepEqual(again, [], "it sees each mount of a volume once");
    });

    it("finds the same node as the host's kubelet", async () => {
        await eventually("the same facts", async () => assert.deepEqual(await facts(), ofHost), 120);
    });

    it("removes the volumes that the host's kubelet mounted", async () => {
        assert.deepEqual(await brokenVolumes(cluster, "early"), []);
        await removeWork(cluster, node, "early");
    });

    it("mounts every kind of volume", async () => {
        await makeWork(cluster, node, "late");
        assert.deepEqual(await brokenVolumes(cluster, "late"), []);
        const onNode = "cat /srv/work/new/file /srv/part/of-it/file /home/work /mnt/work/file";
        assert.equal(await cluster.exec(node, onNode), "of the test\n".repeat(4));
    });

    it("updates files of ConfigMaps", async () => {
        await inWork(cluster, "patch", "configmap", "work", "--patch", '{"data":{"other":"another"}}');
        await eventually("the file", () => inPod("cat /v/config/other /v/projected/other"), 150);
    });

    it("serves exec, logs and forwarded ports", async () => {
        assert.equal(await inPod("cat /www/index.html"), "late");
        assert.equal(await inWork(cluster, "logs", "late"), "started\n");
        const forward = spawn(kubectlPath(), [
            "--kubeconfig",
            cluster.kubeconfig,
            "-n",
            "work",
            "port-forward",
            "pod/late",
            ":8080",
        ]);
        try {
            const [chunk] = await once(forward.stdout.setEncoding("utf8"), "data");
            const answer = await fetch(`http://127.0.0.1:${/127\.0\.0\.1:(\d+)/.exec(chunk)![1]}/`);
            assert.equal((await answer.text()).trim(), "late");
        } finally {
            forward.kill();
        }
    });

    it("starts ephemeral containers", async () => {
        const image = ["--image", images.busybox, "--target", "work", "--container", "debugger", "--attach=false"];
        await inWork(cluster, "debug", "late", ...image, "--", "sh", "-c", "ps && sleep 1000");
        await eventually("the debugger sees the container", async () =>
            assert.match(await inWork(cluster, "logs", "late", "-c", "debugger"), /sleep 100000/),
        );
    });

    it("restarts a container whose liveness probe fails", async () => {
        await inPod("kill $(pidof httpd)");
        await eventually("it is restarted and Ready", async () => {
            const { status } = await cluster.get<{
                status: { containerStatuses: { restartCount: number; ready: boolean }[] };
            }>("-n", "work", "pod", "late");
            const [{ restartCount, ready } = assert.fail("no status")] = status.containerStatuses;
            assert.deepEqual({ restartCount, ready }, { restartCount: 1, ready: true });
        });
        assert.equal(await inWork(cluster, "logs", "late", "--previous"), "started\n");
        assert.deepEqual(await brokenVolumes(cluster, "late"), []);
    });

    it("reports statistics of pods and their volumes", async () => {
        await eventually("statistics of the pod", async () => {
            const own = (await summary()).pods.find(({ podRef }) => podRef.name === "late");
            const found = fields(own);
            for (const each of [
                ".cpu.usageCoreNanoSeconds",
                ".memory.workingSetBytes",
                ".network.rxBytes",
                ".containers[].logs.usedBytes",
                ".containers[].rootfs.usedBytes",
                ".ephemeral-storage.usedBytes",
                ".volume[].pvcRef.name",
                ".volume[].usedBytes",
            ]) {
                assert.ok(found.includes(each), `${each} of ${found.join(" ")}`);
            }
        });
        const metrics = await cluster.kubectl("get", "--raw", `/api/v1/nodes/${node}/proxy/metrics/cadvisor`);
        assert.match(metrics, /container_memory_working_set_bytes\{container="work"/);
    });

    it("has run throughout, and leaves its volumes to the host's kubelet", async () => {
        assert.deepEqual(await kubeletsOn(cluster, node), podsWork);
        await cluster.start("--level", "2-4", "--yes");
        await untilKubelets(cluster, node, "the host's kubelet works", ["free host"]);
        assert.deepEqual(await brokenVolumes(cluster, "late"), []);
        await removeWork(cluster, node, "late");
        await cluster.pulumi("preview", "--expect-no-changes");
    });
});
