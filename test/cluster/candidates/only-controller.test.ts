import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { memberLabel } from "../../../agents/nodes/promoter/plan";
import { type Controllers, controllersKey } from "../../../agents/nodes/promoter/record";
import type { Node, Pod } from "../../../clients/kubernetes/objects";
import { controllerLabel } from "../../../cluster/labels";
import { takenOverFile } from "../../../cluster/machines/step-aside";
import { containerName, docker, ensureImage, leaveFile, powerOff, powerOn } from "../../../machines";
import { describeLong } from "../../takes-long";
import { eventually, root, TestCluster } from "../cluster";
import { countObjects } from "../count-objects";
import { etcdMembers } from "../etcd-roll";
import { isWhole } from "../faults/whole";
import { spreadWeb } from "../spread-web";

const cluster = new TestCluster("only");
const lost = "only-controller-0";
const candidate = "only-default-0";
const folder = mkdtempSync(join(tmpdir(), "tradewind-only-"));
const snapshot = join(folder, "only.db");

/** Seconds from the command until the API serves again. */
const goalSeconds = 120;

const takeOver = (...args: string[]) =>
    cluster.tradewind("recover", "--from", "snapshot", "--candidate", candidate, ...args);

/** The same, killed once the candidate is at work. Resolves to its output. */
async function killedTakeOver(...args: string[]): Promise<string> {
    const words = ["dev/run.cjs", "tradewind", "recover", "--name", cluster.name, "--from", "snapshot"];
    // A group of its own, which is killed as a whole.
    const child = spawn("node", [...words, "--candidate", candidate, ...args], {
        cwd: root,
        detached: true,
        stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    for await (const chunk of child.stdout!) {
        output += chunk;
        if (/copied \d+ files to/.test(output)) process.kill(-child.pid!, "SIGKILL");
    }
    assert.match(output, /copied \d+ files to/);
    return output;
}

async function roles(): Promise<Controllers> {
    const { data } = await cluster.get<{ data: Record<string, string> }>("-n", "kube-system", "configmap/controllers");
    return JSON.parse(data[controllersKey]!);
}

const isStill = () => cluster.pulumi("preview", "--expect-no-changes");

/** UIDs and containers of the workload's pods. */
async function webPods(): Promise<string[]> {
    const { items } = await cluster.get<{ items: Pod[] }>("pods", "-l", "app=web");
    return items
        .map(({ metadata, status }) =>
            [metadata.uid, ...(status?.containerStatuses ?? []).map((each) => JSON.stringify(each.state))].join(" "),
        )
        .sort();
}

/** Runs a command on the disk of the machine that is off. */
const onDisk = async (command: string) =>
    docker([
        ...["run", "--rm", "--network", "none", "--volumes-from", containerName(cluster.name, lost)],
        ...[await ensureImage(), "sh", "-euc", command],
    ]);

/** The control plane's processes that run on the lost machine, each second, until stopped. */
function watchLost(): () => Promise<string[]> {
    let isOver = false;
    const seen = new Set<string>();
    const watching = (async () => {
        while (!isOver) {
            const found = await cluster.exec(lost, "ps -eo comm=").catch(() => "");
            for (const name of found.split("\n")) {
                if (/^(etcd|kube-(apiserver|controller|scheduler).*)$/.test(name)) seen.add(name);
            }
            await sleep(1_000);
        }
    })();
    return async () => {
        isOver = true;
        await watching;
        return [...seen];
    };
}

describeLong("a cluster whose only controller is lost, with two candidates", function () {
    this.timeout(900_000);
    let pods: string[];

    before(async () => {
        await cluster.start("--controllers", "1", "--workers", "2", "--candidates", "--yes");
        await cluster.apply(spreadWeb("web", 1, 30_080));
        await cluster.kubectl("rollout", "status", "deployment/web", "--timeout=120s");
        await cluster.kubectl("create", "configmap", "from-before", "--from-literal=a=b");
        await cluster.tradewind("snapshot", "--to", snapshot);
        pods = await webPods();
        assert.equal(pods.length, 2);
    });
    after(async () => {
        rmSync(folder, { recursive: true });
        await cluster.destroy();
    });

    it("refuses to take over from a controller that serves, or that may still run", async () => {
        await assert.rejects(takeOver("--snapshot", snapshot), /the API answers.*tradewind promote only-default-0/s);
        await docker(["pause", containerName(cluster.name, lost)]);
        await assert.rejects(
            takeOver("--snapshot", snapshot),
            /only-controller-0 does not answer, but it may still run/,
        );
        await docker(["unpause", containerName(cluster.name, lost)]);
        await eventually("the API", () => cluster.kubectl("get", "--raw", "/readyz"));
        const left = "find /etc/kubernetes/pki/etcd /etc/kubernetes/checkpoints /var/lib/etcd -type f 2>/dev/null || :";
        assert.equal(await cluster.exec(candidate, left), "");
    });

    it("serves from the snapshot again on a candidate, when its machine and its disk are lost, and the command is killed", async () => {
        await powerOff(cluster.name, lost);
        await onDisk("mv /var/lib/etcd/member-data /var/lib/etcd/lost");
        const start = performance.now();
        const seconds = () => (performance.now() - start) / 1000;
        const killed = await killedTakeOver("--snapshot", snapshot);
        assert.match(killed, /taken at .* ago: what was written since then is lost/);
        assert.match(killed, /only-controller-0 is off/);
        const command = takeOver("--snapshot", snapshot);
        command.catch(() => {});
        await eventually("the API", () => cluster.kubectl("get", "--raw", "/readyz"), goalSeconds);
        console.log(`      the API serves after ${seconds().toFixed(0)} s`);
        assert.match((await command).stdout, /resuming the recovery on only-default-0/);
        console.log(`      the candidate's own control plane after ${seconds().toFixed(0)} s`);
        assert.ok(seconds() < goalSeconds);
        await cluster.kubectl("get", "configmap", "from-before");
        assert.deepEqual(await etcdMembers(cluster, candidate), [candidate]);
        const record = await roles();
        assert.deepEqual([record[candidate]?.role, record[lost]?.role], ["controller", "leaving"]);
    });

    it("keeps the workload's pods running, and an empty preview; up and the same command again change nothing", async () => {
        assert.deepEqual(await webPods(), pods);
        await isStill();
        await cluster.pulumi("up", "--yes", "--skip-preview");
        const again = await takeOver("--snapshot", snapshot);
        assert.match(again.stdout, /nothing to do: only-default-0 is a controller/);
        assert.deepEqual((await roles())[candidate]?.role, "controller");
    });

    it("is one cluster when the lost machine returns with its old data, which does not serve it", async () => {
        const marked = await docker(["cp", `${containerName(cluster.name, lost)}:${takenOverFile}`, "-"]);
        assert.match(marked, new RegExp(candidate));
        // As on a cloud, where the disk of a machine that is off cannot be written: it has to find out itself.
        await leaveFile(cluster.name, lost, { path: takenOverFile, contents: "" });
        await onDisk("mv /var/lib/etcd/lost /var/lib/etcd/member-data");
        const stop = watchLost();
        const { failures } = await countObjects(cluster, "the lost machine returns, and is a candidate", async () => {
            await powerOn(cluster.name, lost);
            await eventually(
                "the lost machine to be a candidate",
                async () => assert.equal((await roles())[lost]?.role, "candidate"),
                240,
            );
        });
        assert.deepEqual(await stop(), []);
        assert.deepEqual(failures, []);
        assert.match(await cluster.exec(lost, "ls /var/lib/etcd"), /^member-data\.before-\d+T\d+$/m);
        const { items } = await cluster.get<{ items: Node[] }>("nodes", "-l", controllerLabel);
        assert.deepEqual(
            items.map(({ metadata }) => metadata.name),
            [candidate],
        );
        await isStill();
    });

    it("goes on when the Node of the candidate, the only controller, is deleted", async () => {
        const since = new Date();
        await countObjects(cluster, "the Node of the only controller is deleted", async () => {
            await cluster.kubectl("delete", "node", candidate, "--wait=false");
            const isController = async () => {
                const { metadata } = await cluster.get<Node>("node", candidate);
                const { [controllerLabel]: role, [memberLabel]: member } = metadata.labels ?? {};
                assert.deepEqual([role, member], ["", "joining"]);
            };
            await eventually("the Node to be a controller's again", isController, 240);
        });
        await isWhole({ cluster, controllers: [candidate], workers: [lost, "only-default-1"] }, since, 240);
        await isStill();
    });

    it("gives the returned machine its place back on request", async () => {
        await cluster.tradewind("promote", lost);
        await cluster.tradewind("demote", candidate);
        await eventually("one member", async () => assert.deepEqual(await etcdMembers(cluster, lost), [lost]));
        await cluster.kubectl("get", "configmap", "from-before");
        await isStill();
    });
});
