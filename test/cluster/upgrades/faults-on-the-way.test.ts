import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { ensure } from "../../../artifacts";
import { minorOf, minorsBetween } from "../../../cluster/upgrades/version";
import { powerCut } from "../../../machines";
import { KUBERNETES_VERSIONS, versions } from "../../../versions";
import { describeLong } from "../../takes-long";
import { eventually, finished, root, TestCluster } from "../cluster";
import { countObjects } from "../count-objects";
import { ctrlC } from "../interrupt";
import { allAre } from "../under-prober";
import { unreadable } from "../unreadable";

const oldest = KUBERNETES_VERSIONS.at(-1)!;
const newest = KUBERNETES_VERSIONS[0]!;
const [olderEtcd, newerEtcd] = [versions.etcd, "3.7.3"];
const cluster = new TestCluster("onway");
const controller = `${cluster.name}-controller-0`;
const workloads = ["kube-apiserver", "kube-controller-manager", "kube-scheduler", "kube-proxy"];
const agents = ["node-agent-controller", "node-agent-default"];

/** What an `up` prints at each step, of which each is disturbed once. */
const step = new RegExp(
    [
        "snapshot before the upgrade",
        `etcd of ${controller}: .*: done`,
        "kube-[a-z- ]+ as 1\\.\\d+: done",
        `daemonset/kube-system/(?:${[...workloads, ...agents].join("|")}): `,
    ].join("|"),
);
const killed = ({ pid }: ChildProcess) => process.kill(-pid!, "SIGKILL");

/** This release must have a version in between. */
const describeIf = minorsBetween(oldest, newest).length > 2 ? describeLong : describe.skip;

describeIf("a cluster of one controller, on its way over several minor versions", function () {
    this.timeout(1_500_000);

    before(async () => {
        await ensure({ kubernetes: [oldest, newest], say: () => {} });
        const size = ["--controllers", "1", "--workers", "1"];
        await finished(cluster.spawnStart(...size, "--kubernetes", oldest, "--yes"));
        await set("rollbackTo", minorOf(oldest));
    });
    after(() => cluster.destroy());

    const set = (key: string, value: string) => cluster.pulumi("config", "set", `tradewind:${key}`, value);
    /** In a process group of its own: with it, the engine and its plugins end, too. */
    const start = () =>
        spawn("node", ["dev/run.cjs", "start", "--name", cluster.name, "--yes"], {
            cwd: root,
            stdio: ["ignore", "pipe", "pipe"],
            detached: true,
        });

    /** Runs `up` until it succeeds, disturbed at each step; a run fails only if it was disturbed. @returns the steps */
    const upWith = async (disturb: (child: ChildProcess) => unknown, untilReady: () => Promise<unknown>) => {
        const disturbed: string[] = [];
        for (;;) {
            await untilReady();
            const child = start();
            const lines: string[] = [];
            let acting: Promise<unknown> | undefined;
            let isBusy = false;
            const act = async (found: string) => {
                isBusy = true;
                disturbed.push(found);
                // Its Job runs seconds later.
                if (found.startsWith("snapshot")) await sleep(3_000);
                await disturb(child);
                isBusy = false;
            };
            for (const input of [child.stdout!, child.stderr!]) {
                createInterface({ input }).on("line", (line) => {
                    lines.push(line);
                    const [found] = step.exec(line) ?? [];
                    if (found !== undefined && !isBusy && !disturbed.includes(found)) acting = act(found);
                });
            }
            const late = setTimeout(() => ctrlC(child), 600_000);
            const exitCode = await new Promise<number | null>((resolve) => child.once("exit", resolve));
            clearTimeout(late);
            await acting;
            if (exitCode === 0) return disturbed;
            assert.ok(acting, `it failed without a fault:\n${lines.join("\n")}`);
        }
    };

    const areReady = async () => {
        for (const name of [...workloads, ...agents]) {
            const rollout = ["rollout", "status", `daemonset/${name}`, "--namespace", "kube-system", "--timeout=20s"];
            await eventually(name, () => cluster.kubectl(...rollout), 240);
        }
    };
    const isAt = async (version: string, etcd: string) => {
        await allAre(cluster, version, 2);
        assert.match(await cluster.kubectl("version"), new RegExp(`Server Version: v${version}`));
        const image = "-o=jsonpath={.spec.containers[0].image}";
        assert.match(
            await cluster.kubectl("get", "pod", "-n", "kube-system", `etcd-${controller}`, image),
            new RegExp(etcd),
        );
        assert.deepEqual(await unreadable(cluster), []);
        await cluster.pulumi("preview", "--expect-no-changes");
    };

    for (const [fault, disturb, untilReady] of [
        ["SIGKILL of `up`", killed, async () => {}],
        ["a power cut of its controller", () => powerCut(cluster.name, controller), areReady],
    ] as const) {
        for (const [way, version, etcd] of [
            ["forward", newest, newerEtcd],
            ["back", oldest, olderEtcd],
        ] as const) {
            it(`goes ${way} over ${fault} at each step, and loses no acknowledged write`, async () => {
                await set("kubernetesVersion", version);
                await set("etcdVersion", etcd);
                let steps: readonly string[] = [];
                await countObjects(cluster, `${way} over ${fault}`, async () => {
                    steps = await upWith(disturb, untilReady);
                });
                console.log(`      at ${steps.length} steps: ${steps.join(", ")}`);
                // The way back has fewer, and what is printed during a power cut is not disturbed.
                assert.ok(steps.length >= (way === "forward" ? 8 : 7), "it was disturbed at few steps");
                await isAt(version, etcd);
            });
        }
    }
});
