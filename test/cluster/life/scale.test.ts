import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { isReady } from "../../../clients/kubernetes/objects";
import { destroyMachine, list, powerOff } from "../../../machines";
import { streamDocker } from "../../../machines/bootstrap";
import { containerName } from "../../../machines/names";
import { describeLong } from "../../takes-long";
import { eventually } from "../cluster";
import { countObjects } from "../count-objects";
import { etcdMembers, leadEtcd } from "../etcd-roll";
import type { Scene } from "../faults/fault";
import { isWhole } from "../faults/whole";
import { life, lifeBegins } from "../life";
import { describeTallies, Prober } from "../prober";
import { loadBalancerTargets } from "../rollout";

const controllers = (...indexes: number[]) => indexes.map((index) => `${life.name}-controller-${index}`);
const [first] = controllers(0) as [string];
const three: Scene = { cluster: life, controllers: controllers(0, 1, 2), workers: [`${life.name}-default-0`] };

/**
 * Maximum seconds that the load balancer takes to give up a lost machine, including open connections
 * (machines/load-balancer.ts).
 */
const detectionSeconds = 8;

async function nodes(): Promise<string[]> {
    const { items } = await life.get<{ items: Node[] }>("nodes");
    return items.map((node) => `${node.metadata.name}${isReady(node.status) ? "" : " (not Ready)"}`).sort();
}

interface Node {
    readonly metadata: { readonly name: string };
    readonly status: { readonly conditions: { type: string; status: string }[] };
}

const isServing = async (machine: string) => {
    const answer = await life.exec(machine, "curl -sk https://127.0.0.1:6443/readyz");
    assert.equal(answer, "ok");
};

const timed = (what: string, act: () => Promise<unknown>) => countObjects(life, what, act);

/** Which copies of the control plane ran on a machine while it was removed. */
async function untilGone(machine: string): Promise<string[]> {
    const container = containerName(life.name, machine);
    // Checked on the machine: polling from outside takes half a core.
    const look = "while sleep 0.5; do ls /etc/kubernetes/manifests; done";
    const seen = new Set<string>();
    await streamDocker(["exec", container, "sh", "-c", look], { timeout: 600_000 }, (file) => seen.add(file));
    return [...seen].filter((file) => file.startsWith("checkpoint-"));
}

describeLong("a cluster whose controllers are added and removed", function () {
    this.timeout(600_000);

    before(() => lifeBegins());
    after(() => life.destroy());

    it("grows from one controller to three", async () => {
        await timed("1 to 3 controllers", () => life.start("--controllers", "3", "--yes"));
        assert.deepEqual(await etcdMembers(life, first), controllers(0, 1, 2));
    });

    it("fails no request once the load balancer has noticed the loss of its first controller, which leads etcd", async () => {
        const targets = await loadBalancerTargets(life);
        await isWhole(three, new Date(), 180);
        await leadEtcd(life, first);
        const prober = new Prober(targets, 120);
        // Its connections are spread over all of them.
        await sleep(5_000);
        const cut = new Date();
        await timed("the first controller, which led etcd, lost for 30 s", async () => {
            await powerOff(life.name, first);
            await sleep(30_000);
        });
        const tallies = await prober.stop();
        const since = ({ at }: { at: string }) => (new Date(at).getTime() - cut.getTime()) / 1000;
        const failed = Object.values(tallies).flatMap(({ failures }) => failures.map(since));
        console.log(`      ${describeTallies(tallies)}`);
        console.log(`      ${failed.length} requests failed, the last ${Math.max(0, ...failed)} s after the loss`);
        assert.ok(tallies.new.requests > 50 && tallies.http2.requests > 50);
        assert.deepEqual(
            failed.filter((seconds) => seconds < 0 || seconds > detectionSeconds),
            [],
        );
    });

    it("permanently replaces the lost one with a new one of the same name, which joins the others", async () => {
        const { stdout } = await life.pulumi("stack", "export");
        const { resources } = JSON.parse(stdout).deployment as { resources: { urn: string }[] };
        const replace = [first, `${life.name}-token-lifetime-controller-0`].flatMap((name) => {
            const { urn } = resources.find((resource) => resource.urn.endsWith(`Command::${name}`))!;
            return ["--replace", urn];
        });
        await timed("its replacement", async () => {
            await destroyMachine(life.name, first);
            await life.pulumi("up", "--yes", "--skip-preview", ...replace);
            // The pod on its node joins it again, automatically.
            await eventually("the new controller to serve the API", () => isServing(first), 240);
        });
        assert.deepEqual(await etcdMembers(life, first), controllers(0, 1, 2));
        await life.pulumi("preview", "--expect-no-changes");
    });

    it("shrinks to the first controller and no worker, node by node, each before its machine is removed", async () => {
        const leaving = controllers(1, 2).map(untilGone);
        const count = await timed("3 to 1 controllers and 1 to 0 workers", () =>
            life.start("--controllers", "1", "--workers", "0", "--yes"),
        );
        // etcd loses a write that a follower forwards while the leader changes, without an error
        // (https://github.com/etcd-io/etcd/issues/8975): at most one of the counter's, which are sequential.
        assert.ok(count.failures.length <= 1, count.failures.join("; "));
        assert.deepEqual(
            count.failures.filter((failure) => !failure.endsWith("(sent, without an answer)")),
            [],
        );
        assert.deepEqual(await etcdMembers(life, first), controllers(0));
        assert.deepEqual(await nodes(), controllers(0));
        const machines = (await list(life.name)).filter(({ role }) => role === "machine");
        assert.deepEqual(
            machines.map(({ name }) => name),
            controllers(0),
        );
        for (const copies of await Promise.all(leaving)) {
            assert.deepEqual(copies, ["checkpoint-kube-system.checkpointer.json"], "no copy was restored");
        }
    });
});
