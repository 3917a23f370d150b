import assert from "node:assert/strict";
import { versions } from "../../../versions";
import { describeLong } from "../../takes-long";
import { eventually, finished, TestCluster } from "../cluster";
import { countObjects } from "../count-objects";
import { olderVersion } from "../life";
import { LongWatch } from "../long-watch";
import { controllerTargets, loadBalancerTargets } from "../rollout";
import { spreadWeb } from "../spread-web";
import { allAre, underProber } from "../under-prober";
import { unreadable } from "../unreadable";
import { webServers } from "../web-servers";
import { WorkloadAsker } from "../workload-asker";

const cluster = new TestCluster("workloads");
const controller = `${cluster.name}-controller-0`;
const nodePort = 30_082;

interface Pod {
    readonly metadata: { readonly name: string; readonly labels?: Record<string, string> };
    readonly status: {
        readonly containerStatuses?: { readonly containerID?: string; readonly restartCount: number }[];
    };
}

/** What an upgrade has no reason to move or restart: a user's DaemonSet, flannel and etcd. */
async function staying(): Promise<string[]> {
    const { items } = await cluster.get<{ items: Pod[] }>("pods", "-A");
    const stays = ({ name, labels = {} }: Pod["metadata"]) =>
        labels.app === "web" || labels["k8s-app"] === "flannel" || name === `etcd-${controller}`;
    return items
        .filter(({ metadata }) => stays(metadata))
        .flatMap(({ metadata, status: { containerStatuses = [] } }) =>
            containerStatuses.map(({ containerID, restartCount }) => `${metadata.name} ${containerID} ${restartCount}`),
        )
        .sort();
}

/** The pod names of a user's Deployment. */
const moving = async () =>
    (await cluster.kubectl("get", "pods", "-l", "app=shop", "-o", "name")).trim().split("\n").sort();

describeLong("workloads of a cluster that is upgraded", function () {
    this.timeout(1_800_000);

    before(async () => {
        await finished(
            cluster.spawnStart("--controllers", "1", "--workers", "2", "--kubernetes", olderVersion, "--yes"),
        );
        await cluster.apply(spreadWeb("shop", 1, nodePort));
        await cluster.apply(
            webServers("mkdir /tmp/web && touch /tmp/web/index.html && exec busybox httpd -f -p 8080 -h /tmp/web"),
        );
        await cluster.kubectl("rollout", "status", "deployment/shop", "--timeout=90s");
        await cluster.kubectl("rollout", "status", "daemonset/web", "--timeout=90s");
        const { host } = (await controllerTargets(cluster, controller))[0]!;
        await eventually("the NodePort", async () => assert.ok((await fetch(`http://${host}:${nodePort}/`)).ok));
    });
    after(() => cluster.destroy());

    for (const [from, to, how] of [
        [olderVersion, versions.kubernetes, "becomes"],
        [versions.kubernetes, olderVersion, "goes back to"],
    ] as const) {
        it(`stay available, are moved only if necessary, and a watch receives every event once: ${from} ${how} ${to}`, async () => {
            const [stay, move] = [await staying(), await moving()];
            assert.ok(stay.length >= 2 + 3 + 1, stay.join("\n"));
            const [target] = await loadBalancerTargets(cluster);
            const { host } = (await controllerTargets(cluster, controller))[0]!;
            const asker = new WorkloadAsker(`http://${host}:${nodePort}/`);
            const watch = new LongWatch(target!);

            await cluster.pulumi("config", "set", "kubernetesVersion", to);
            const { stdout } = await cluster.pulumi("preview");
            assert.ok(stdout.includes(`Kubernetes ${from} ${how} ${to}: a snapshot`), stdout);
            const { acknowledged } = await countObjects(cluster, `${from} to ${to}`, () =>
                underProber(
                    cluster,
                    "meanwhile",
                    () => controllerTargets(cluster, controller),
                    () => cluster.pulumi("up", "--yes", "--skip-preview"),
                ),
            );
            await eventually("the last of them", async () => assert.ok(watch.has(acknowledged.at(-1)!)));
            const asked = await asker.stop();
            const { added, opened, failures } = await watch.stop();
            console.log(
                `      workload: ${asked.requests} requests, ${asked.failures.length} failed, longest gap ${asked.longestGap} ms; ` +
                    `watch: ${added.length} objects, opened ${opened} times, ${failures.length} failed`,
            );
            assert.deepEqual(asked.failures, []);
            assert.ok(asked.requests > 500);

            const written = new Set(acknowledged);
            assert.deepEqual(
                added.filter((name) => written.has(name)),
                acknowledged,
                "each once, in order",
            );
            assert.deepEqual(failures, []);
            assert.ok(opened > 1, "an upgrade ends watches");

            await allAre(cluster, to, 3);
            assert.match(await cluster.kubectl("version"), new RegExp(`Server Version: v${to}`));
            assert.deepEqual(await unreadable(cluster), []);
            assert.deepEqual(await staying(), stay);
            for (const pod of await moving()) assert.ok(!move.includes(pod), `${pod} was drained`);
            await cluster.pulumi("preview", "--expect-no-changes");
        });
    }
});
